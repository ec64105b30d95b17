-- Triggers of one moment fire in the order of their names. A create that had counted its people held a row of the counts while
-- it waited for the lock of the suppressions, whose holder waited for that row: nine deadlocks of a second each where 40
-- addresses are created and suppressed at once. Under this name the check comes first.
ALTER TRIGGER subscribers_refuse_suppressed ON subscribers RENAME TO subscribers_check_suppressed;
