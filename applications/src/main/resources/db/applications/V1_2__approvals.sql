-- ---------------------------------------------------------------- approvals that replicas of schema 12 have made

-- They name no key that the decision wakes: the application of their deployment has a turn.
CREATE FUNCTION signal_of_approval() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO signals (kind, key, at)
    SELECT 'application', d.application_id::text, now() FROM deployments d WHERE d.id = NEW.deployment_id;
    RETURN NULL;
END $$;
CREATE TRIGGER approvals_signal AFTER UPDATE OF state ON approvals FOR EACH ROW
    WHEN (NEW.wake_kind IS NULL AND NEW.deployment_id IS NOT NULL AND NEW.state IN ('granted', 'rejected'))
    EXECUTE FUNCTION signal_of_approval();
