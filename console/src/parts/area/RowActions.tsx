import { Link } from '@tanstack/react-router'
import { Eye, SquarePen, Trash2 } from 'lucide-react'
import type { ComponentProps } from 'react'
import { useMe } from '#api/session.ts'
import { useLanguage, useMessages } from '#i18n/messages.ts'
import { AREAS, editorOf, screenOf } from '#lib/areas.ts'
import { type ButtonVariant, buttonClass, IconButton } from '#ui/Button.tsx'
import type { Area, Stored } from './area.ts'
import css from './RowActions.module.css'

interface Props {
  area: Area
  row: Stored
  onDelete: (row: Stored) => void
  /** Small on cards. */
  size?: NonNullable<ButtonVariant['size']>
}

/** Actions on one entity of a list: view, edit, delete. */
export function RowActions({ area, row, onDelete, size = 'medium' }: Props) {
  const { kind } = area
  const { common } = useMessages()
  const refusals = area.refusals(useMe())
  const { text: name } = area.nameOf(row, useLanguage())
  const noEdit = refusals.edit(row)
  const touch = size === 'small' ? css.small : css.action
  const className = `${buttonClass({ variant: 'quiet', size, icon: true })} ${touch}`
  const icon = size === 'small' ? 15 : 16
  const [view, edit] = [common.viewOne(name), common.editOne(name)]
  return (
    <>
      {AREAS[kind].opens === 'detail' && (
        <View area={area} id={row._id} className={className} aria-label={view} title={view}>
          <Eye size={icon} aria-hidden />
        </View>
      )}
      {noEdit ? (
        <IconButton data-edit size={size} icon={SquarePen} label={edit} reason={noEdit} className={touch} />
      ) : (
        <Link to={editorOf(kind, row._id)} className={className} aria-label={edit} title={edit}>
          <SquarePen size={icon} aria-hidden />
        </Link>
      )}
      <IconButton
        size={size}
        icon={Trash2}
        destructive
        label={common.deleteOne(name)}
        reason={refusals.delete(row)}
        className={touch}
        onClick={() => onDelete(row)}
      />
    </>
  )
}

type ViewProps = { area: Area; id: string } & Omit<ComponentProps<'a'>, 'href' | 'ref' | 'id'>

const View = ({ area, id, ...props }: ViewProps) =>
  area.Link ? <area.Link id={id} {...props} /> : <Link to={screenOf(area.kind, id)} {...props} />
