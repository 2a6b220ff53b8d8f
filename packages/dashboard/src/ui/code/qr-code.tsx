import classes from './qr-code.module.css'
import { qrPath } from './qr-path.ts'

/** Dark on light in both color schemes, because many cameras cannot read the reverse. */
export function QrCode({ text, label }: { text: string; label: string }) {
  const { path, size } = qrPath(text)
  return (
    <svg viewBox={`0 0 ${size} ${size}`} role="img" aria-label={label} className={classes.picture}>
      <path d={path} />
    </svg>
  )
}
