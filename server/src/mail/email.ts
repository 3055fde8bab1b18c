/** An email to one person: paragraphs of plain text, and a separate link. */
export interface EmailMessage {
  /** The same in each attempt to send it, so that the recipient's mail server can recognize a second copy. */
  id?: string
  to: string
  subject: string
  /** A BCP 47 tag. */
  language: string
  before: string[]
  link?: { label: string; url: string }
  after?: string[]
}

/**
 * Renders an email as plain text and as equivalent HTML, for nodemailer. The recipient is one address, never a list.
 */
export function renderEmail({ to, subject, language, before, link, after = [] }: EmailMessage) {
  const text = [...before, ...(link ? [`${link.label}:\n${link.url}`] : []), ...after]
  const html = [...before.map(paragraph), ...(link ? [button(link)] : []), ...after.map(paragraph)]
  return {
    to: { name: '', address: to },
    subject,
    text: `${text.join('\n\n')}\n`,
    html: page(language, subject, html.join('\n')),
    // Prevents out-of-office replies.
    headers: { 'Auto-Submitted': 'auto-generated', 'Content-Language': language },
  }
}

const page = (language: string, title: string, body: string) => `<!doctype html>
<html lang="${escaped(language)}">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${escaped(title)}</title></head>
<body style="margin:0;padding:24px;background:#f6f5f2;color:#22211f;font:16px/1.6 system-ui,sans-serif">
<div style="max-width:520px;margin:0 auto;padding:24px 32px;background:#ffffff;border:1px solid #e2e0da;border-radius:8px">
${body}
</div>
</body>
</html>
`

const paragraph = (text: string) => `<p style="margin:12px 0">${escaped(text)}</p>`

/** Also shows the URL as text, since not every mail client shows where a link leads. */
const button = ({ label, url }: { label: string; url: string }) =>
  `<p style="margin:24px 0"><a href="${escaped(url)}" style="display:inline-block;padding:10px 20px;border-radius:6px;background:#165e83;color:#ffffff;text-decoration:none">${escaped(label)}</a></p>
<p style="margin:12px 0;font-size:13px;color:#6b6860;overflow-wrap:anywhere">${escaped(url)}</p>`

const ENTITIES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' }
const escaped = (text: string): string => text.replace(/[&<>"']/g, (sign) => ENTITIES[sign] ?? sign)
