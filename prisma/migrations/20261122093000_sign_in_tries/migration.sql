-- Sessions that nobody uses end after 12 hours; until now they lived for 30 days.
UPDATE staff_sessions SET expires_at = least(expires_at, now() + interval '12 hours');

-- What may not be done again and again: guesses at an account's password, mails about it. Only digests of whom it is about.
CREATE TABLE staff_tries (
  subject text PRIMARY KEY,
  tries integer NOT NULL,
  tried_at timestamptz(3) NOT NULL,
  next_at timestamptz(3) NOT NULL
);
CREATE INDEX staff_tries_tried_at_idx ON staff_tries (tried_at);
