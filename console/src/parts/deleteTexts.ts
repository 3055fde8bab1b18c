import { areaTexts } from '#i18n/messages.ts'

export const deleteTexts = areaTexts({ gone: 'It has been deleted in the meantime' }, { gone: '它在此期间已被删除' })
