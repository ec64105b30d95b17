"use client";
import { type PointerEvent, useState } from "react";
import { count } from "../ui/numbers";
import styles from "./overview.module.css";

type Day = { day: string; joined: number; total: number };

const HEIGHT = 180;
const WIDTH = 1000;
const dayFormat = new Intl.DateTimeFormat("en-GB", { day: "numeric", month: "short", timeZone: "UTC" });
const formatDay = (day: string) => dayFormat.format(new Date(`${day}T00:00:00Z`));

/** The bounds of the scale: from zero for a list that was less than half as long, else round numbers around its range. */
function scaleOf(totals: number[]): { floor: number; top: number } {
  const [low, high] = [Math.min(...totals), Math.max(...totals)];
  const fromZero = low < high / 2;
  const range = Math.max(fromZero ? high : high - low, 1);
  const step = 10 ** Math.max(0, Math.floor(Math.log10(range)) - 1) * 5;
  const floor = fromZero ? 0 : Math.max(0, Math.floor(low / step - 0.5) * step);
  return { floor, top: Math.max(Math.ceil(high / step) * step, floor + 1) };
}

/**
 * How the list grew, day by day: a line, and the same numbers as a table. Drawn by hand: a chart library is larger
 * than all other scripts of the page together.
 */
export function Growth({ days }: { days: Day[] }) {
  const [at, setAt] = useState<number | null>(null);
  const last = days.length - 1;
  const { floor, top } = scaleOf(days.map(({ total }) => total));
  const x = (i: number) => (last === 0 ? WIDTH / 2 : (i / last) * WIDTH);
  const y = (total: number) => HEIGHT - ((total - floor) / (top - floor)) * (HEIGHT - 8);
  const line = days
    .map(({ total }, i) => `${i === 0 ? "M" : "L"}${x(i).toFixed(1)} ${y(total).toFixed(1)}`)
    .join("");
  const shown = days[at ?? last] as Day;

  const point = (event: PointerEvent<SVGSVGElement>) => {
    const box = event.currentTarget.getBoundingClientRect();
    const i = Math.round(((event.clientX - box.left) / box.width) * last);
    setAt(Math.min(last, Math.max(0, i)));
  };
  return (
    <figure className={styles.growth}>
      <p aria-hidden="true">
        {formatDay(shown.day)}: <b>{count(shown.total)}</b> on the list, {count(shown.joined)} joined
      </p>
      <div className={styles.plot}>
        <svg
          viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
          preserveAspectRatio="none"
          aria-hidden="true"
          onPointerMove={point}
          onPointerLeave={() => setAt(null)}
        >
          {[floor, (floor + top) / 2, top].map((total) => (
            <path key={total} d={`M0 ${y(total)}H${WIDTH}`} className={styles.grid} />
          ))}
          <path d={`${line}L${WIDTH} ${HEIGHT}L0 ${HEIGHT}Z`} className={styles.area} />
          <path d={line} className={styles.stroke} />
          {at !== null && <path d={`M${x(at)} 0V${HEIGHT}`} className={styles.cursor} />}
        </svg>
        <span>{count(top)}</span>
        <span>{count(floor)}</span>
      </div>
      <p className={styles.axis} aria-hidden="true">
        {[0, Math.floor(last / 2), last].map((i) => (
          <span key={i}>{formatDay((days[i] as Day).day)}</span>
        ))}
      </p>
      <DaysTable days={days} />
    </figure>
  );
}

function DaysTable({ days }: { days: Day[] }) {
  return (
    <details className={styles.days}>
      <summary>The same as a table</summary>
      <table>
        <thead>
          <tr>
            <th scope="col">Day</th>
            <th scope="col">Joined</th>
            <th scope="col">On the list</th>
          </tr>
        </thead>
        <tbody>
          {days.toReversed().map(({ day, joined, total }) => (
            <tr key={day}>
              <th scope="row">{formatDay(day)}</th>
              <td>{count(joined)}</td>
              <td>{count(total)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </details>
  );
}
