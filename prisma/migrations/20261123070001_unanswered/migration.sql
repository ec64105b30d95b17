-- What becomes of pending people who never answer. Newsletters that exist keep them for ever until staff say otherwise; new ones
-- remove them after 30 days.
ALTER TABLE newsletters
  ADD COLUMN pending_reminder boolean NOT NULL DEFAULT false,
  ADD COLUMN pending_days integer CHECK (pending_days BETWEEN 7 AND 365);
ALTER TABLE newsletters ALTER COLUMN pending_days SET DEFAULT 30;

-- Of a confirmation that reminds of an earlier one: that one.
ALTER TABLE mails ADD COLUMN reminder_of uuid;
