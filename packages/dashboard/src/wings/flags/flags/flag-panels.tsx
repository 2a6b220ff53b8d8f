import { useNavigate, useSearch } from '@tanstack/react-router'
import { lazy } from 'react'
import { useIsDeleted } from '../../../shell/deleted.tsx'
import type { FlagPageSearch } from './flag-search.ts'
import { useTargeting } from './targeting-place.ts'

const RulePanel = lazy(async () => ({ default: (await import('../rules/rule-panel.tsx')).RulePanel }))
const SchedulePanel = lazy(async () => ({ default: (await import('../schedules/schedule-panel.tsx')).SchedulePanel }))
const OverridesPanel = lazy(async () => ({ default: (await import('../switches/overrides-panel.tsx')).OverridesPanel }))
const TryPanel = lazy(async () => ({ default: (await import('../playground/try-panel.tsx')).TryPanel }))

/** What is edited or tried beside a flag, as the address says. */
export function FlagPanels() {
  const { mayEdit, flag, environment } = useTargeting()
  const isDeleted = useIsDeleted()
  const navigate = useNavigate()
  const { rule, schedule, panel }: FlagPageSearch = useSearch({ strict: false })
  const close = (...parts: (keyof FlagPageSearch)[]) =>
    void navigate({
      to: '.',
      search: ((old: object) =>
        Object.fromEntries(
          Object.entries(old).filter(([part]) => !parts.includes(part as keyof FlagPageSearch)),
        )) as never,
      resetScroll: false,
    })
  // Another flag or environment begins again, so that no form of this one goes on with it.
  const place = `${flag.id} ${environment.id}`
  return (
    <>
      {rule !== undefined && (mayEdit || isDeleted) && (
        <RulePanel key={`${rule} ${place}`} which={rule} onClose={() => close('rule')} />
      )}
      {schedule !== undefined && mayEdit && (
        <SchedulePanel key={`${schedule} ${place}`} which={schedule} onClose={() => close('schedule')} />
      )}
      {panel === 'always' && mayEdit && <OverridesPanel key={place} onClose={() => close('panel')} />}
      {panel === 'try' && <TryPanel onClose={() => close('panel', 'visitor', 'draft', 'revision', 'at', 'differs')} />}
    </>
  )
}
