import { Notifications } from "@mantine/notifications";

/** The shown notifications. */
export default function NotificationList() {
  return <Notifications position="bottom-right" autoClose={6000} limit={3} />;
}
