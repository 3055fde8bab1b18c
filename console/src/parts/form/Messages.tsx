import css from './Form.module.css'

interface Props {
  id: string
  error?: string | undefined
  warning?: string | undefined
}

/** What is wrong with a field that has no box of its own to say it; `id` is what describes the field. */
export const Messages = ({ id, error, warning }: Props) => (
  <div id={id} data-fault={error ? true : undefined}>
    {error && <p className={css.error}>{error}</p>}
    {warning && <p className={css.warning}>{warning}</p>}
  </div>
)
