import { areaTexts } from '#i18n/messages.ts'
import { kindNamesIn } from '#lib/areas.ts'
import { catalogueActivities, groupedActivities } from './catalogueActivities.ts'

export const activityTexts = areaTexts(
  {
    title: 'Activities',
    subtitle: 'All activity in the catalogue, newest first',
    /** Separates what happened from the title. */
    colon: ': ',
    type: 'Type',
    allTypes: 'All Types',
    empty: 'No activities found',
    emptyHint: 'Choose another type.',
    types: {
      ...catalogueActivities(kindNamesIn('en'), {
        CREATED: (name) => `${name} created`,
        UPDATED: (name) => `${name} updated`,
        DELETED: (name) => `${name} deleted`,
        RESTORED: (name) => `${name} restored`,
        PURGED: (name) => `${name} permanently deleted`,
      }),
      TRANSLATION_UPDATED: 'Translation updated',
      RATING_ADDED: 'Rating added',
      ASSETS_DELETED: 'Unused assets deleted',
      ASSETS_RESTORED: 'Unused assets restored',
      CATALOGUE_IMPORTED: 'Catalogue imported',
    },
    comma: ', ',
    grouped: {
      ...groupedActivities(kindNamesIn('en'), {
        CREATED: (count, { many }) => `${count} ${many} created`,
        UPDATED: (count, { many }) => `${count} changes to ${many}`,
        DELETED: (count, { many }) => `${count} ${many} deleted`,
        RESTORED: (count, { many }) => `${count} ${many} restored`,
        PURGED: (count, { many }) => `${count} ${many} permanently deleted`,
      }),
      ASSET_CREATED: (count: number) => `${count} files uploaded`,
      TRANSLATION_UPDATED: (count: number) => `${count} translations updated`,
      RATING_ADDED: (count: number) => `${count} ratings added`,
      ASSETS_DELETED: (count: number) => `Unused assets deleted ${count} times`,
      ASSETS_RESTORED: (count: number) => `Unused assets restored ${count} times`,
      CATALOGUE_IMPORTED: (count: number) => `Catalogue imported ${count} times`,
    },
  },
  {
    title: '动态',
    subtitle: '资料库的全部动态，按时间倒序',
    colon: '：',
    type: '类型',
    allTypes: '全部类型',
    empty: '没有找到动态',
    emptyHint: '请选择其他类型。',
    types: {
      ...catalogueActivities(kindNamesIn('zh'), {
        CREATED: (name) => `新建${name}`,
        UPDATED: (name) => `更新${name}`,
        DELETED: (name) => `删除${name}`,
        RESTORED: (name) => `恢复${name}`,
        PURGED: (name) => `彻底删除${name}`,
      }),
      TRANSLATION_UPDATED: '更新翻译',
      RATING_ADDED: '新增评分',
      ASSETS_DELETED: '删除未使用的素材',
      ASSETS_RESTORED: '恢复未使用的素材',
      CATALOGUE_IMPORTED: '导入资料库',
    },
    comma: '、',
    grouped: {
      ...groupedActivities(kindNamesIn('zh'), {
        CREATED: (count, { many }) => `新建了 ${count} ${many}`,
        UPDATED: (count, { name }) => `更新${name} ${count} 次`,
        DELETED: (count, { many }) => `删除了 ${count} ${many}`,
        RESTORED: (count, { many }) => `恢复了 ${count} ${many}`,
        PURGED: (count, { many }) => `彻底删除了 ${count} ${many}`,
      }),
      ASSET_CREATED: (count: number) => `上传了 ${count} 个文件`,
      TRANSLATION_UPDATED: (count: number) => `更新翻译 ${count} 次`,
      RATING_ADDED: (count: number) => `新增 ${count} 条评分`,
      ASSETS_DELETED: (count: number) => `删除未使用的素材 ${count} 次`,
      ASSETS_RESTORED: (count: number) => `恢复未使用的素材 ${count} 次`,
      CATALOGUE_IMPORTED: (count: number) => `导入资料库 ${count} 次`,
    },
  },
)
