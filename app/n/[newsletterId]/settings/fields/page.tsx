import { Fields } from "@/components/settings/fields";

export const metadata = { title: "Fields" };

export default function Page() {
  return <Fields />;
}
