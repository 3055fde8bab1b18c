import css from './Spinner.module.css'

/** Only for content of unknown shape; otherwise use a Skeleton. */
export function Spinner({ size, label }: { size: number; label?: string }) {
  return (
    <span className={css.spinner} style={{ width: size, height: size }} {...(label ? { role: 'status' } : {})}>
      {label && <span className="sr-only">{label}</span>}
    </span>
  )
}
