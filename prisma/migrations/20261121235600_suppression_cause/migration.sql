-- A suppression is found by the address; an activity that came from one names no id.
ALTER TABLE subscriber_events DROP CONSTRAINT subscriber_events_cause_check,
  ADD CONSTRAINT subscriber_events_cause_check CHECK (
    cause IN ('mail', 'complaint', 'bulk_action', 'suppression') AND (cause = 'suppression') = (cause_id IS NULL)
      OR cause IS NULL AND cause_id IS NULL
  );
