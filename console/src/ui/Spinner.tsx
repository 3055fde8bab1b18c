import css from './Spinner.module.css'

/** For work of unknown shape only; where the shape is known, use a Skeleton. */
export function Spinner({ size = 20, label }: { size?: number; label?: string }) {
  return (
    <span className={css.spinner} style={{ width: size, height: size }} {...(label ? { role: 'status' } : {})}>
      {label && <span className="sr-only">{label}</span>}
    </span>
  )
}
