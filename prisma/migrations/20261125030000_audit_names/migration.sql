-- The audit log keeps the names of its time: of who did something, and of the newsletter. Those of before are today's.
ALTER TABLE audit_entries ADD COLUMN actor_name text, ADD COLUMN newsletter_name text;
UPDATE audit_entries e SET
  newsletter_name = (SELECT name FROM newsletters WHERE id = e.newsletter_id),
  actor_name = CASE actor_kind
    WHEN 'staff' THEN (SELECT name FROM staff_members WHERE id = e.actor_id)
    WHEN 'key' THEN (SELECT name FROM api_keys WHERE id = e.actor_id) END;

CREATE FUNCTION name_audit_entry() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.newsletter_name := coalesce(NEW.newsletter_name, (SELECT name FROM newsletters WHERE id = NEW.newsletter_id));
  NEW.actor_name := coalesce(NEW.actor_name, CASE NEW.actor_kind
    WHEN 'staff' THEN (SELECT name FROM staff_members WHERE id = NEW.actor_id)
    WHEN 'key' THEN (SELECT name FROM api_keys WHERE id = NEW.actor_id) END);
  RETURN NEW;
END $$;
CREATE TRIGGER audit_entries_named BEFORE INSERT ON audit_entries FOR EACH ROW EXECUTE FUNCTION name_audit_entry();

-- Nobody changes it: of an entry that is under way the number of people grows, and that is all.
CREATE FUNCTION keep_audit_entry() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'UPDATE' THEN
    IF to_jsonb(NEW) - 'detail' = to_jsonb(OLD) - 'detail' AND NEW.detail - 'people' = OLD.detail - 'people'
      AND (NEW.detail->>'people')::int >= (OLD.detail->>'people')::int
    THEN RETURN NEW; END IF;
  END IF;
  RAISE EXCEPTION 'the audit log is not changed' USING ERRCODE = 'RC003';
END $$;
CREATE TRIGGER audit_entries_kept BEFORE UPDATE OR DELETE ON audit_entries FOR EACH ROW EXECUTE FUNCTION keep_audit_entry();

-- What happened in one newsletter, newest first.
CREATE INDEX audit_entries_newsletter_idx ON audit_entries (newsletter_id, id);
