import { AccountLog } from "@/components/settings/account-log";

export const metadata = { title: "Log" };

export default function Page() {
  return <AccountLog />;
}
