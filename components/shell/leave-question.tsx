import { Confirm } from "../ui/confirm";

type Props = { onLeave(): void; onStay(): void };

/** Whether what is not saved may be lost. */
export default function LeaveQuestion({ onLeave, onStay }: Props) {
  return (
    <Confirm
      title="Leave without saving?"
      action="Leave without saving"
      cancel="Stay"
      danger
      busy={false}
      onConfirm={onLeave}
      onClose={onStay}
    >
      <p>What you changed on this page is not saved. It is lost when you leave.</p>
    </Confirm>
  );
}
