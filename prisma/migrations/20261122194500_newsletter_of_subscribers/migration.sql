-- A subscriber's foreign key to the newsletter was looked up for each row: 7 of the 57 microseconds that PostgreSQL worked for a
-- create. What counts people has such a key, too, and is written once a statement: nobody is added to a newsletter that there
-- is not, and an insert and the end of its newsletter wait for each other at the counts. The other direction is the trigger's.
ALTER TABLE subscribers DROP CONSTRAINT subscribers_newsletter_id_fkey;

CREATE OR REPLACE FUNCTION forget_changes() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  -- Triggers fire in the order of their names: the counts are gone by now, and who was being added is to be seen.
  IF EXISTS (SELECT FROM subscribers WHERE newsletter_id = OLD.id) THEN
    RAISE EXCEPTION 'the newsletter has subscribers' USING ERRCODE = 'foreign_key_violation';
  END IF;
  DELETE FROM changes WHERE newsletter_id = OLD.id;
  RETURN NULL;
END $$;
ALTER FUNCTION forget_changes() RENAME TO newsletter_deleted;
ALTER TRIGGER newsletters_forget_changes ON newsletters RENAME TO newsletters_deleted;
