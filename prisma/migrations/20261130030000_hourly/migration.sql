-- Four queues with an hourly schedule became the tasks of one. A new database has no tables of pg-boss yet.
DO $$ BEGIN
  IF to_regclass('pgboss.queue') IS NOT NULL THEN
    DELETE FROM pgboss.schedule WHERE name IN ('clean-up', 'unanswered', 'newsletter-removal', 'digest');
    PERFORM pgboss.delete_queue(name) FROM pgboss.queue WHERE name IN ('clean-up', 'unanswered', 'newsletter-removal', 'digest');
  END IF;
END $$;
