import css from './Form.module.css'

interface Props {
  id: string
  error?: string | undefined
  warning?: string | undefined
}

/** Error and warning of a field that has no input of its own; refer to `id` with `aria-describedby`. */
export const Messages = ({ id, error, warning }: Props) => (
  <div id={id} data-fault={error ? true : undefined}>
    {error && <p className={css.error}>{error}</p>}
    {warning && <p className={css.warning}>{warning}</p>}
  </div>
)
