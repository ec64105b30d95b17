-- Mails that staff let go past a day's budget leave together, too.
ALTER TABLE mailings DROP CONSTRAINT mailings_kind_check;
ALTER TABLE mailings ADD CONSTRAINT mailings_kind_check CHECK (kind IN ('confirm', 'import', 'retry', 'release'));
