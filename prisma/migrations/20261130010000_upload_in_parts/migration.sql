-- A list arrives in parts before it is planned.
ALTER TABLE imports
  DROP CONSTRAINT imports_state_check,
  ADD CONSTRAINT imports_state_check CHECK (state IN
    ('uploading', 'planned', 'running', 'done', 'cancelled', 'outdated', 'failed', 'undoing', 'undone')),
  DROP CONSTRAINT imports_ended_check,
  ADD CONSTRAINT imports_ended_check CHECK ((state IN ('uploading', 'planned', 'running')) = (ended_at IS NULL));
