import type { BatchRollbackInput, HistoryEntry } from '@mokuroku/contract/history'
import { useState } from 'react'
import { SearchSelect } from '#parts/SearchSelect.tsx'
import type { Choice } from '#parts/Suggestion.tsx'
import { NO_RECENT } from '#parts/TagPicker.tsx'
import { endOfMinute, localMinute } from '#lib/days.ts'
import { TextField } from '#ui/Field.tsx'
import { Stack } from '#ui/layout.tsx'
import css from './Panel.module.css'
import { translationTexts } from './texts.ts'

const DAY = 24 * 60 * 60_000

/**
 * State of a filter by user and period, in local time in the format of `<input type="datetime-local">`. At first, the
 * period includes the newest change on screen, also if the clock of the browser is behind.
 */
export function useBatchFilter(seen: HistoryEntry[]) {
  const { batch: texts } = translationTexts.use()
  const [now] = useState(() => Math.max(Date.now(), ...seen.map(({ createdAt }) => Date.parse(createdAt))))
  const [who, setWho] = useState(() => ({ username: '', from: localMinute(now - DAY), to: localMinute(now) }))
  const [isTried, setTried] = useState(false)
  const username = who.username.trim()
  const [from, to] = [new Date(who.from), endOfMinute(who.to)]
  const isTime = (date: Date) => !Number.isNaN(date.getTime())
  const wrong: Partial<Record<keyof typeof who, string | undefined>> = {
    username: username ? undefined : texts.needsUser,
    from: isTime(from) ? undefined : texts.needsTime,
    to: isTime(to) ? (from > to ? texts.wrongOrder : undefined) : texts.needsTime,
  }
  return {
    who,
    set: (change: Partial<typeof who>) => setWho({ ...who, ...change }),
    wrong: isTried ? wrong : {},
    valid: (): BatchRollbackInput['by'] => {
      setTried(true)
      if (wrong.username ?? wrong.from ?? wrong.to) return undefined
      return { username, from: from.toISOString(), to: to.toISOString() }
    },
  }
}

interface Props {
  who: ReturnType<typeof useBatchFilter>
  seen: HistoryEntry[]
}

export function BatchWho({ who: { who, set, wrong }, seen }: Props) {
  const { batch: texts } = translationTexts.use()
  return (
    <>
      <Stack gap={1}>
        <span className={css.label} aria-hidden>
          {texts.user}
        </span>
        <SearchSelect
          index="users"
          takesFirst
          label={texts.user}
          placeholder={texts.userHint}
          text={who.username}
          error={wrong.username}
          onText={(username) => set({ username })}
          onChoose={({ originalTitle = '' }) => set({ username: originalTitle })}
          {...NO_RECENT}
          recent={{ ...NO_RECENT.recent, data: authorsOf(seen) }}
          recentTitle={texts.recent}
        />
      </Stack>
      <div className={css.times}>
        {(['from', 'to'] as const).map((end) => (
          <TextField
            key={end}
            type="datetime-local"
            label={texts[end]}
            value={who[end]}
            error={wrong[end]}
            onChange={(event) => set({ [end]: event.currentTarget.value })}
          />
        ))}
      </div>
    </>
  )
}

/** The authors of the changes on screen, who are the most likely choices. */
function authorsOf(seen: HistoryEntry[]): Choice[] {
  const byId = new Map(seen.flatMap(({ updatedById, updatedBy }) => (updatedById ? [[updatedById, updatedBy]] : [])))
  return [...byId].map(([_id, originalTitle]) => ({ _id, originalTitle, translations: {}, cover: '' }))
}
