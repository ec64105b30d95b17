-- How many confirmations may be sent in a day, so that nobody can flood a domain's mailboxes through a newsletter.
-- 50 to one domain: more colleagues than join one newsletter in a day, and too few to be felt by a mail server. 5,000 in all:
-- ten times a busy day, and a tenth of what one leaked key could ask for within its default rate limits.
ALTER TABLE newsletters
  ADD COLUMN domain_mails_per_day integer NOT NULL DEFAULT 50 CHECK (domain_mails_per_day BETWEEN 1 AND 100000),
  ADD COLUMN mails_per_day integer NOT NULL DEFAULT 5000 CHECK (mails_per_day BETWEEN 1 AND 1000000);

ALTER TABLE mails
  ADD COLUMN budget_domain text, -- of one deferred for its domain's budget: that domain
  ADD COLUMN released_at timestamptz(3); -- when staff let it go past the budgets

-- Confirmations by day (UTC) and domain; those to large providers count in the newsletter's sum alone, whose domain is ''.
CREATE TABLE mail_budgets (
  newsletter_id uuid NOT NULL REFERENCES newsletters (id) ON DELETE CASCADE ON UPDATE CASCADE,
  day date NOT NULL,
  domain text NOT NULL,
  mails integer NOT NULL,
  PRIMARY KEY (newsletter_id, day, domain)
);
CREATE INDEX mail_budgets_day_idx ON mail_budgets (day);
