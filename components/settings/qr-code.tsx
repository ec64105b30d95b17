import { useMemo } from "react";
import { encode } from "uqr";
import styles from "./settings.module.css";

/** Dark on light in both colour schemes, because many cameras read nothing else. */
export default function QrCode({ text, label }: { text: string; label: string }) {
  const { size, data } = useMemo(() => encode(text, { border: 2 }), [text]);
  const dots = data.flatMap((row, y) => row.flatMap((dark, x) => (dark ? [`M${x} ${y}h1v1h-1z`] : [])));
  return (
    <svg className={styles.qr} viewBox={`0 0 ${size} ${size}`} role="img" aria-label={label}>
      <path fill="#fff" d={`M0 0h${size}v${size}H0z`} />
      <path fill="#000" d={dots.join("")} shapeRendering="crispEdges" />
    </svg>
  );
}
