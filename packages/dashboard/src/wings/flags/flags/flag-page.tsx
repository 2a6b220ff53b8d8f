import { Group, Stack } from '@mantine/core'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { lazy, Suspense, useEffect, useMemo, useState } from 'react'
import { ChooseEnvironment } from '../../../shell/choose-environment.tsx'
import { useIsDeleted } from '../../../shell/deleted.tsx'
import { useEnvironment } from '../../../shell/environment.ts'
import { useProjectIndex } from '../../../shell/index-query.ts'
import { useKeys } from '../../../shell/keys.ts'
import { OnlyFor } from '../../../shell/only-for.tsx'
import { usePlace } from '../../../shell/place.ts'
import { useMay } from '../../../shell/session.ts'
import { namesById } from '../../../ui/conditions/condition-words.ts'
import { Loaded } from '../../../ui/layout/loaded.tsx'
import { ButtonLink } from '../../../ui/links/links.tsx'
import { Notice } from '../../../ui/notice/notice.tsx'
import type { SwitchAction } from '../../../ui/status/live-switch.tsx'
import { useReviewWords } from '../publishing/review-words.ts'
import type { FlagInEnvironment } from '../rules/rule-rows.ts'
import { Rules } from '../rules/rules.tsx'
import { OverridesLine } from '../switches/overrides-line.tsx'
import { FlagFrame } from './flag-frame.tsx'
import { FlagMenu } from './flag-menu.tsx'
import { type Flag, useFlagEnvironment, useRules } from './flag-queries.ts'
import { beside, type FlagPageSearch } from './flag-search.ts'
import { SwitchBar } from './switch-bar.tsx'
import { type TargetingContext, TargetingPlace } from './targeting-place.ts'
import { unpublishedIn } from './unpublished.ts'
import { UnpublishedBar } from './unpublished-bar.tsx'

// Most of the code of this page is in its panels.
const FlagPanels = lazy(async () => ({ default: (await import('./flag-panels.tsx')).FlagPanels }))

/** Who gets what of a flag in an environment, live and as drafted. */
export function FlagPage() {
  const navigate = useNavigate()
  const trying = {
    to: '.' as never,
    search: beside({ panel: 'try' }) as never,
    resetScroll: false,
  }
  useKeys({ t: { label: 'Try a visitor', act: () => void navigate(trying) } })
  return (
    <FlagFrame
      actions={
        <Group gap="xs" wrap="nowrap">
          <ButtonLink variant="default" {...trying}>
            Try a visitor
          </ButtonLink>
          <FlagMenu />
        </Group>
      }
    >
      {({ content }) => <Targeting flag={content} />}
    </FlagFrame>
  )
}

function Targeting({ flag }: { flag: Flag }) {
  const { environment } = useEnvironment()
  const index = useProjectIndex()
  const query = useFlagEnvironment(flag, environment.id)
  const rules = useRules(flag, environment.id)
  const isDeleted = useIsDeleted()
  const mayEdit = useMay('flags:write') && flag.status !== 'ARCHIVED' && !isDeleted
  const loaded = query.data && rules.data && { inEnvironment: query.data, rules: rules.data.data }
  return (
    <>
      <ChooseEnvironment panelId="targeting" unpublished={(envId) => unpublishedIn(index.data, envId, flag.key)} />
      {flag.status === 'ARCHIVED' && (
        <Notice tone="warning" title="This flag is archived">
          It is not in any data file, so SDKs return the default in your code. Restore it under Settings to change it.
        </Notice>
      )}
      <section id="targeting" aria-label={`Targeting in ${environment.name}`}>
        <Loaded
          query={{
            data: loaded,
            error: query.error ?? rules.error,
            refetch: () => Promise.all([query.refetch(), rules.refetch()]),
          }}
          lines={5}
        >
          {({ inEnvironment, rules }) => (
            <InEnvironment
              key={environment.id}
              place={{
                flag,
                environment,
                inEnvironment: inEnvironment.content,
                etag: inEnvironment.etag,
                rules,
                mayEdit,
              }}
            />
          )}
        </Loaded>
      </section>
    </>
  )
}

function InEnvironment({ place: given }: { place: Omit<TargetingContext, 'names' | 'index' | 'isLiveOnly'> }) {
  const index = useProjectIndex().data
  const search = useSearch({ strict: false }) as FlagPageSearch
  const navigate = useNavigate()
  const { params } = usePlace()
  const { flag, environment, inEnvironment, mayEdit } = given
  const [asked, setAsked] = useState<SwitchAction>()
  const isDeleted = useIsDeleted()
  const isLiveOnly = search.view === 'live'
  const names = useMemo(() => namesOf(index, inEnvironment), [index, inEnvironment])
  const place: TargetingContext = { ...given, names, index, isLiveOnly, mayEdit: mayEdit && !isLiveOnly }
  const go = (next: Partial<FlagPageSearch>) =>
    void navigate({ to: '.', search: ((old: object) => ({ ...old, ...next })) as never, resetScroll: false })
  const review = () =>
    void navigate({
      to: '/$org/$project/environments/$environment/publish',
      params: { ...params, environment: environment.key },
      search: { flags: flag.key },
    } as never)
  const isChanged = inEnvironment.changes.length > 0
  const reviewWords = useReviewWords()
  const { ask } = search
  // The palette leads here with a question, which is asked once.
  useEffect(() => {
    if (ask === undefined) return
    if (mayEdit) setAsked(ask)
    void navigate({ to: '.', search: (({ ask: _, ...old }: FlagPageSearch) => old) as never, replace: true })
  }, [ask, mayEdit, navigate])
  useKeys({
    l: {
      label: isLiveOnly ? 'Show unpublished changes' : 'Show only what is live',
      act: () => go({ view: isLiveOnly ? undefined : 'live' } as never),
    },
    ...(isChanged && { 'shift+p': { label: reviewWords, act: review } }),
    ...(mayEdit && {
      p: { label: `Pause in ${environment.name}`, act: () => setAsked('pause') },
      r: { label: `Run in ${environment.name}`, act: () => setAsked('run') },
    }),
  })
  return (
    <TargetingPlace value={place}>
      <Stack gap="md">
        <SwitchBar asked={asked} onAsk={setAsked} />
        {isChanged && <UnpublishedBar onView={(view) => go({ view } as never)} />}
        {!given.mayEdit && flag.status !== 'ARCHIVED' && !isDeleted && (
          <OnlyFor>You can look at this flag. Editors and admins can change it.</OnlyFor>
        )}
        <OverridesLine />
        <Rules onOpen={(rule) => go({ rule, schedule: undefined, panel: undefined } as never)} />
      </Stack>
      {(search.rule ?? search.schedule ?? search.panel) !== undefined && (
        <Suspense>
          <FlagPanels />
        </Suspense>
      )}
    </TargetingPlace>
  )
}

function namesOf(index: TargetingContext['index'], { live, draft }: FlagInEnvironment): TargetingContext['names'] {
  return {
    audiences: namesById(index?.audiences),
    segments: namesById(index?.segments),
    rules: namesById([...live.rules, ...draft.rules]),
  }
}
