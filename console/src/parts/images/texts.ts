import { areaTexts } from '#i18n/messages.ts'

export const imageTexts = areaTexts(
  {
    image: 'Image',
    none: 'No cover',
    find: 'Find an image by filename',
    loading: 'Loading images…',
    empty: 'No images found',
    failed: 'Failed to load images',
    upload: 'Upload',
    uploading: (percent: number) => `Uploading… ${percent}%`,
    hint: 'An image can also be dropped here or pasted.',
    uploaded: 'Uploaded',
    uploadFailed: 'Failed to upload image',
    noUpload: (tier: string) => `Your tier “${tier}” does not allow uploads.`,
  },
  {
    image: '图片',
    none: '无封面',
    find: '按文件名查找图片',
    loading: '正在加载图片…',
    empty: '没有找到图片',
    failed: '无法加载图片',
    upload: '上传',
    uploading: (percent) => `正在上传… ${percent}%`,
    hint: '也可以把图片拖到这里或粘贴。',
    uploaded: '已上传',
    uploadFailed: '上传图片失败',
    noUpload: (tier) => `您的等级“${tier}”不能上传文件。`,
  },
)
