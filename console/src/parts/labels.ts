import type { AssetInput } from '@mokuroku/contract/assets'
import type { CharacterInput } from '@mokuroku/contract/characters'
import type { MediaInput } from '@mokuroku/contract/media'
import type { NewRating } from '@mokuroku/contract/ratings'
import type { Kind } from '@mokuroku/contract/kinds'
import type { SettingFields } from '@mokuroku/contract/settings'
import type { TagInput } from '@mokuroku/contract/tags'
import type { Permissions, TierInput } from '@mokuroku/contract/tiers'
import type { UserInput } from '@mokuroku/contract/users'
import { areaTexts } from '#i18n/messages.ts'
import * as mediaTypes from './mediaTypes.ts'
import * as permissionNames from './permissionNames.ts'
import * as tagTypes from './tagTypes.ts'

/** Labels of a kind's fields and their values: lower case, as within a sentence. */
export interface Words {
  fields: Readonly<Record<string, string>>
  /** For fields with a few allowed values. */
  values?: ByField
  /** For fields that contain several values of one type. */
  members?: ByField
  /** For boolean fields. */
  flags?: Readonly<Record<string, readonly [no: string, yes: string]>>
}
type ByField = Readonly<Record<string, Readonly<Record<string, string>>>>

/**
 * What the compiler demands of a kind's labels: one for each input field (for translations, for each text field) and for
 * `More`, which are stored besides them; and names for the values of each field with a fixed set of them.
 */
type LabelsOf<Input, More extends string = never> = Words & {
  fields: Record<
    | Exclude<keyof Input, 'translations'>
    | (Input extends { translations: Record<string, infer Texts> } ? keyof Texts : never)
    | More,
    string
  >
} & (keyof ValueNames<Input> extends never ? unknown : { values: ValueNames<Input> })

type ValueNames<Input> = {
  [Field in keyof Input as [Choices<Input[Field]>] extends [never] ? never : Field]-?: Record<
    Choices<Input[Field]>,
    string
  >
}
/** The values of an enum; `never` for any other type, such as a text. */
type Choices<Value> =
  NonNullable<Value> extends string ? (string extends NonNullable<Value> ? never : NonNullable<Value>) : never

const english = {
  Media: {
    fields: {
      mediaType: 'type',
      title: 'title',
      description: 'description',
      originalTitle: 'original title',
      aliases: 'other names',
      readings: 'readings',
      isOngoing: 'status',
      releaseDate: 'release date',
      duration: 'duration (minutes)',
      episodes: 'episodes',
      characters: 'characters',
      tags: 'tags',
      cover: 'cover',
      assets: 'assets',
      relatedMedia: 'related media',
    },
    values: { mediaType: mediaTypes.inEnglish },
    flags: { isOngoing: ['Completed', 'Ongoing'] },
  } satisfies LabelsOf<MediaInput>,
  Character: {
    fields: {
      name: 'name',
      description: 'description',
      originalName: 'original name',
      aliases: 'other names',
      readings: 'readings',
      tags: 'tags',
      assets: 'assets',
      cover: 'cover',
      mediaRefs: 'media',
    },
  } satisfies LabelsOf<CharacterInput>,
  Tag: {
    fields: {
      type: 'type',
      name: 'name',
      description: 'description',
      icon: 'icon',
      color: 'colour',
      parentTag: 'parent tag',
      status: 'status',
    },
    values: {
      type: tagTypes.inEnglish,
      status: { ACTIVE: 'Active', DEPRECATED: 'Deprecated', HIDDEN: 'Hidden' },
    },
  } satisfies LabelsOf<TagInput>,
  Asset: {
    fields: {
      filename: 'filename',
      isPublic: 'visibility',
      file: 'file',
    },
    flags: { isPublic: ['Private', 'Public'] },
  } satisfies LabelsOf<AssetInput, 'file'>,
  Rating: {
    fields: {
      mediaId: 'media',
      userId: 'rater',
      score: 'score',
      comment: 'comment',
    },
  } satisfies LabelsOf<NewRating, 'userId'>,
  Tier: {
    fields: {
      name: 'name',
      description: 'description',
      requiredScore: 'required score',
      isActive: 'active',
      permissions: 'permissions',
    },
    members: {
      permissions: {
        ...permissionNames.inEnglish.capabilities,
        maxUploadSizeMB: 'Upload size (MB)',
        customPermissions: 'Custom permissions',
      } satisfies Record<keyof Permissions, string>,
    },
  } satisfies LabelsOf<TierInput>,
  User: {
    fields: {
      username: 'username',
      email: 'email address',
      password: 'password',
      passwordHash: 'password',
      role: 'role',
      isActive: 'active',
      avatar: 'avatar',
      scores: 'score',
    },
    values: { role: permissionNames.inEnglish.roles },
  } satisfies LabelsOf<UserInput, 'passwordHash'>,
  Setting: {
    fields: {
      siteName: 'site name',
      defaultLanguage: 'default language',
      languages: 'languages',
      findings: 'checks',
      baseUrl: 'provider address',
      model: 'model',
      apiKey: 'API key',
      streamsPerUser: 'concurrent AI answers per user',
      dailyTokensPerUser: 'daily tokens per user',
      sessionHours: 'session length in hours',
      keepVersionsDays: 'days that versions are kept',
      keepActivitiesDays: 'days that activities are kept',
      keepAuditDays: 'days that audit entries are kept',
    },
  } satisfies LabelsOf<SettingFields, 'apiKey'>,
} satisfies Record<Kind, unknown>

const chinese: typeof english = {
  Media: {
    fields: {
      mediaType: '类型',
      title: '标题',
      description: '简介',
      originalTitle: '原名',
      aliases: '别名',
      readings: '读音',
      isOngoing: '状态',
      releaseDate: '发行日期',
      duration: '时长（分钟）',
      episodes: '集数',
      characters: '角色',
      tags: '标签',
      cover: '封面',
      assets: '素材',
      relatedMedia: '相关作品',
    },
    values: { mediaType: mediaTypes.inChinese },
    flags: { isOngoing: ['已完结', '连载中'] },
  },
  Character: {
    fields: {
      name: '名称',
      description: '简介',
      originalName: '原名',
      aliases: '别名',
      readings: '读音',
      tags: '标签',
      assets: '素材',
      cover: '封面',
      mediaRefs: '作品',
    },
  },
  Tag: {
    fields: {
      type: '类型',
      name: '名称',
      description: '简介',
      icon: '图标',
      color: '颜色',
      parentTag: '上级标签',
      status: '状态',
    },
    values: {
      type: tagTypes.inChinese,
      status: { ACTIVE: '启用', DEPRECATED: '已弃用', HIDDEN: '已隐藏' },
    },
  },
  Asset: {
    fields: {
      filename: '文件名',
      isPublic: '可见范围',
      file: '文件',
    },
    flags: { isPublic: ['私有', '公开'] },
  },
  Rating: {
    fields: {
      mediaId: '作品',
      userId: '评分人',
      score: '分数',
      comment: '评论',
    },
  },
  Tier: {
    fields: {
      name: '名称',
      description: '简介',
      requiredScore: '所需积分',
      isActive: '启用状态',
      permissions: '权限',
    },
    members: {
      permissions: {
        ...permissionNames.inChinese.capabilities,
        maxUploadSizeMB: '上传大小（MB）',
        customPermissions: '自定义权限',
      },
    },
  },
  User: {
    fields: {
      username: '用户名',
      email: '邮箱',
      password: '密码',
      passwordHash: '密码',
      role: '用户组',
      isActive: '启用状态',
      avatar: '头像',
      scores: '积分',
    },
    values: { role: permissionNames.inChinese.roles },
  },
  Setting: {
    fields: {
      siteName: '站点名称',
      defaultLanguage: '默认语言',
      languages: '语言',
      findings: '检查项',
      baseUrl: '服务地址',
      model: '模型',
      apiKey: 'API 密钥',
      streamsPerUser: '每位用户的 AI 并发上限',
      dailyTokensPerUser: '每位用户每日 Token 上限',
      sessionHours: '登录有效期（小时）',
      keepVersionsDays: '版本保留天数',
      keepActivitiesDays: '动态保留天数',
      keepAuditDays: '审计记录保留天数',
    },
  },
}

/** As they are in the middle of a sentence. */
export const settingNames = { inEnglish: english.Setting.fields, inChinese: chinese.Setting.fields }

const labels = areaTexts(english, chinese)

export const useLabels = () => labels.use()

/** Capitalizes the first letter, in scripts with capitals. */
export const capital = (text: string) => text.slice(0, 1).toUpperCase() + text.slice(1)
