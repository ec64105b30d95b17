import type { ReactNode } from "react";
import kit from "./kit.module.css";

/** A row of a `kit.rows` list: a title, a quiet line below it and actions at its end. */
export function Row(props: { title: ReactNode; note: ReactNode; below?: ReactNode; children?: ReactNode }) {
  return (
    <li>
      <div className={kit.entry}>
        <b>{props.title}</b>
        <div className={kit.quiet}>{props.note}</div>
        {props.below}
      </div>
      {props.children}
    </li>
  );
}
