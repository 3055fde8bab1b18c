import type { MAIL_FAILURES } from '@mokuroku/contract/settings'
import { areaTexts } from '#i18n/messages.ts'

/** Descriptions of the kinds of jobs; others are shown by their own name. */
const jobKinds: Record<string, string> = {
  batch: 'Bulk change',
  'mail.send': 'Send an email',
  'search.rebuild': 'Rebuild the search index',
  'search.readings': 'Index the readings of Japanese titles',
  'findings.rebuild': 'Check the catalogue',
  'findings.recheck': 'Recheck date-dependent findings',
  'sample.load': 'Load the sample catalogue',
  'trash.purge': 'Delete expired items from the trash',
  'notifications.expire': 'Delete old notifications',
  'batches.expire': 'Delete old jobs',
  'aiRuns.expire': 'Delete old AI answers',
  'counters.note': 'Record the daily statistics',
  'reservations.expire': 'Delete old reservations',
  'retention.delete': 'Delete data past its retention period',
  'creations.expire': 'Delete expired idempotency keys',
  'links.expire': 'Delete expired links of invitations and resets',
  'uploads.expire': 'Delete unfinished uploads',
  'partitions.keep': 'Create the partitions for the coming months',
  import: 'Read, check or apply an import',
  'imports.expire': 'Delete old imports',
  'assets.process': 'Process an uploaded file',
  'assets.takeUp': 'Requeue waiting files',
  'users.newPassword': 'Notify a user of a password change',
  'users.newAddress': 'Notify a user of an email address change',
}
const jobKindsInChinese: typeof jobKinds = {
  batch: '批量更改',
  'mail.send': '发送邮件',
  'search.rebuild': '重建搜索索引',
  'search.readings': '索引日文标题的读音',
  'findings.rebuild': '检查资料库',
  'findings.recheck': '检查与日期有关的内容',
  'sample.load': '加载示例资料库',
  'trash.purge': '清除回收站到期内容',
  'notifications.expire': '删除过期通知',
  'batches.expire': '删除过期任务',
  'aiRuns.expire': '删除过期的 AI 回答',
  'counters.note': '记录当日数据',
  'reservations.expire': '删除过期的处理占用',
  'retention.delete': '删除超出保留期限的记录',
  'creations.expire': '删除过期的幂等键',
  'links.expire': '删除过期的邀请和重置链接',
  'uploads.expire': '清理未完成的上传',
  'partitions.keep': '准备未来月份的数据表',
  import: '读取、检查或应用导入',
  'imports.expire': '删除过期导入',
  'assets.process': '处理上传的文件',
  'assets.takeUp': '处理遗留的待处理文件',
  'users.newPassword': '通知用户密码已修改',
  'users.newAddress': '通知用户邮箱已修改',
}

const mailFailures: Record<(typeof MAIL_FAILURES)[number], string> = {
  unreachable: 'The mail server cannot be reached. Check the host and the port in SMTP_URL.',
  timeout: 'The mail server did not answer in time.',
  cut: 'The mail server ended the connection.',
  certificate: "The mail server's certificate is not trusted.",
  encryption: 'The mail server does not support encryption, so the password was not sent.',
  login: 'The mail server refused the user or the password in SMTP_URL.',
  sender: 'The mail server refused the sender. Check MAIL_FROM, and that the user in SMTP_URL may send from it.',
  address: 'The mail server refused the address of the recipient.',
  refused: 'The mail server refused the message.',
  later: 'The mail server cannot take messages now. Try again later.',
  other: 'The message could not be sent.',
}
const mailFailuresInChinese: typeof mailFailures = {
  unreachable: '无法连接邮件服务器。请检查 SMTP_URL 中的主机和端口。',
  timeout: '邮件服务器未及时响应。',
  cut: '邮件服务器中断了连接。',
  certificate: '邮件服务器的证书不受信任。',
  encryption: '邮件服务器不提供加密，因此没有发送密码。',
  login: '邮件服务器拒绝了 SMTP_URL 中的用户名或密码。',
  sender: '邮件服务器拒绝了发件人。请检查 MAIL_FROM，并确认 SMTP_URL 中的用户可以用它发信。',
  address: '邮件服务器拒绝了收件人的地址。',
  refused: '邮件服务器拒绝了该邮件。',
  later: '邮件服务器暂时无法接收邮件，请稍后再试。',
  other: '邮件未能发送。',
}

/** What the server reports by a code. */
export const serverTexts = areaTexts(
  { jobKinds, mailFailures },
  { jobKinds: jobKindsInChinese, mailFailures: mailFailuresInChinese },
)
