"use client";
import { type PointerEvent, useState } from "react";
import { count } from "../ui/numbers";
import styles from "./overview.module.css";

type Day = { day: string; joined: number; total: number };

const HEIGHT = 180;
const WIDTH = 1000;
const dayWord = new Intl.DateTimeFormat("en-GB", { day: "numeric", month: "short", timeZone: "UTC" });
const word = (day: string) => dayWord.format(new Date(`${day}T00:00:00Z`));

/** A step that makes round numbers of a range this wide. */
const stepFor = (range: number) => 10 ** Math.max(0, Math.floor(Math.log10(Math.max(range, 1))) - 1) * 5;

/** How the list grew, day by day: a line over its own range, and the same numbers as a table. */
export function Growth({ days }: { days: Day[] }) {
  const [at, setAt] = useState<number | null>(null);
  const totals = days.map((day) => day.total);
  const [low, high] = [Math.min(...totals), Math.max(...totals)];
  // From nought where it grew from little; else over its own range, which the scale says.
  const nought = low < high / 2;
  const step = stepFor(nought ? high : high - low);
  const floor = nought ? 0 : Math.max(0, Math.floor(low / step - 0.5) * step);
  const top = Math.max(Math.ceil(high / step) * step, floor + 1);
  const x = (i: number) => (days.length === 1 ? WIDTH / 2 : (i / (days.length - 1)) * WIDTH);
  const y = (total: number) => HEIGHT - ((total - floor) / (top - floor)) * (HEIGHT - 8);
  const line = totals
    .map((total, i) => `${i === 0 ? "M" : "L"}${x(i).toFixed(1)} ${y(total).toFixed(1)}`)
    .join("");
  const shown = days[at ?? days.length - 1] as Day;

  const point = (event: PointerEvent<SVGSVGElement>) => {
    const box = event.currentTarget.getBoundingClientRect();
    const i = Math.round(((event.clientX - box.left) / box.width) * (days.length - 1));
    setAt(Math.min(days.length - 1, Math.max(0, i)));
  };
  const labels = [0, Math.floor((days.length - 1) / 2), days.length - 1];
  return (
    <figure className={styles.growth}>
      <p className={styles.reading} aria-hidden="true">
        {word(shown.day)}: <b>{count(shown.total)}</b> on the list, {count(shown.joined)} joined
      </p>
      <div className={styles.plot}>
        <svg
          viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
          preserveAspectRatio="none"
          aria-hidden="true"
          onPointerMove={point}
          onPointerLeave={() => setAt(null)}
        >
          {[0, 0.5, 1].map((part) => (
            <line
              key={part}
              x1="0"
              x2={WIDTH}
              y1={y(floor + (top - floor) * part)}
              y2={y(floor + (top - floor) * part)}
              className={styles.grid}
            />
          ))}
          <path d={`${line}L${WIDTH} ${HEIGHT}L0 ${HEIGHT}Z`} className={styles.area} />
          <path d={line} className={styles.stroke} />
          {at !== null && <line x1={x(at)} x2={x(at)} y1="0" y2={HEIGHT} className={styles.cursor} />}
        </svg>
        <span className={styles.scaleTop}>{count(top)}</span>
        <span className={styles.scaleFloor}>{count(floor)}</span>
      </div>
      <p className={styles.axis} aria-hidden="true">
        {labels.map((i) => (
          <span key={i}>{word((days[i] as Day).day)}</span>
        ))}
      </p>
      <details className={styles.table}>
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
            {days.toReversed().map((day) => (
              <tr key={day.day}>
                <th scope="row">{word(day.day)}</th>
                <td>{count(day.joined)}</td>
                <td>{count(day.total)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </details>
    </figure>
  );
}
