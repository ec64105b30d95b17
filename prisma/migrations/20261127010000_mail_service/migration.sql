-- The mail service that an owner set in the dashboard: at most one row. Without it the environment decides.
CREATE TABLE mail_service (
  one boolean PRIMARY KEY DEFAULT true CHECK (one),
  api_key text NOT NULL, -- encrypted under AUTH_SECRET
  sender text NOT NULL
);
