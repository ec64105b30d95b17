-- Imports, bulk actions and undos that no job works on would stay under way forever.
DO $$ BEGIN
  IF to_regclass('pgboss.job') IS NULL THEN RETURN; END IF;
  UPDATE imports i SET state = CASE state WHEN 'undoing' THEN 'done' ELSE 'failed' END,
    written = CASE state WHEN 'undoing' THEN rows ELSE 0 END, ended_at = coalesce(ended_at, now()),
    error = CASE state
      WHEN 'undoing' THEN 'Rollcall was updated during the undo of this import. No people were removed. Undo the import again.'
      ELSE 'Rollcall was updated during this import. No people were added and no emails were sent. Start the import again.' END
  WHERE state IN ('running', 'undoing') AND NOT EXISTS (
    SELECT FROM pgboss.job j WHERE j.name = 'work' AND j.state < 'completed' AND j.data ->> 'id' = i.id::text);
  UPDATE bulk_actions a SET state = 'failed', ended_at = coalesce(ended_at, now()),
    error = 'Rollcall was updated during this action. Repeat the action for the rest.'
  WHERE state IN ('running', 'undoing') AND NOT EXISTS (
    SELECT FROM pgboss.job j WHERE j.name = 'work' AND j.state < 'completed' AND j.data ->> 'id' = a.id::text);
END $$;
