-- Each staff member chooses the language of the dashboard; null is the browser's.
ALTER TABLE staff_members
  ADD COLUMN language text,
  ADD CONSTRAINT staff_members_language_check CHECK (language IN ('en', 'de', 'fr', 'es'));
