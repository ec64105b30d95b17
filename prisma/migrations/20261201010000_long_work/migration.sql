-- Imports, bulk actions and their undo are done by one queue of jobs, whose leases and retries replace those of their rows.

-- What is under way goes on from its job. A new database has no tables of pg-boss yet.
DO $$ BEGIN
  IF to_regclass('pgboss.queue') IS NULL THEN RETURN; END IF;
  PERFORM pgboss.create_queue('work', '{"policy": "standard"}');
  UPDATE pgboss.job j SET name = 'work', retry_count = 0, retry_limit = 10000, data = jsonb_build_object(
    'id', w.id, 'removeOptOuts', coalesce(j.data -> 'removeOptOuts', 'false'), 'startedBy', jsonb_build_object(
      'kind', 'staff', 'id', coalesce(j.data #>> '{startedBy,staffId}', w.staff_id::text), 'address', w.address,
      'requestId', coalesce(j.data #>> '{startedBy,requestId}', w.id::text)))
  FROM (
    SELECT id, staff_id, address FROM bulk_actions
    UNION ALL SELECT id, staff_id, address FROM imports
  ) AS w
  WHERE j.name IN ('import', 'import-undo', 'bulk-action') AND j.state < 'completed'
    AND w.id = coalesce(j.data ->> 'id', j.data ->> 'importId')::uuid;
  PERFORM pgboss.delete_queue(name) FROM pgboss.queue WHERE name IN ('import', 'import-undo', 'bulk-action');
END $$;

-- A cancel that was asked for.
UPDATE imports SET state = 'cancelled', ended_at = now(), written = 0 WHERE state = 'running' AND cancel_asked_at IS NOT NULL;
-- Imports that the command line ran have no job.
UPDATE imports SET state = 'failed', ended_at = now(), written = 0,
  error = 'Rollcall was updated during this import. No people were added and no emails were sent. Start the import again.'
WHERE state = 'running' AND heartbeat_at IS NOT NULL AND staff_id IS NULL;

ALTER TABLE imports DROP COLUMN heartbeat_at, DROP COLUMN cancel_asked_at;
ALTER TABLE bulk_actions DROP COLUMN address, DROP COLUMN tries, DROP COLUMN due_at;
