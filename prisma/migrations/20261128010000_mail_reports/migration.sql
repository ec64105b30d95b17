-- The signing secret of Resend's webhook, where an owner set it in the dashboard.
ALTER TABLE mail_service ADD COLUMN webhook_secret text; -- encrypted under AUTH_SECRET
