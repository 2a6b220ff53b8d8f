import { Button, Group, Paper, Stack, Text, Title } from '@mantine/core'
import { ApiError } from '@svc/client'
import { IconEqual } from '@tabler/icons-react'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import { useProjectIndex } from '../../../shell/index-query.ts'
import { OnlyFor } from '../../../shell/only-for.tsx'
import { type Environment, usePlace } from '../../../shell/place.ts'
import { useMay } from '../../../shell/session.ts'
import type { ChangeNames } from '../../../ui/changes/change-words.ts'
import { namesById } from '../../../ui/conditions/condition-words.ts'
import { ConfirmDialog } from '../../../ui/dialog/confirm-dialog.tsx'
import { ButtonFor } from '../../../ui/layout/button-for.tsx'
import { EmptyState } from '../../../ui/layout/empty-state.tsx'
import { Loaded } from '../../../ui/layout/loaded.tsx'
import { ButtonLink } from '../../../ui/links/links.tsx'
import { announce } from '../../../ui/notice/announce.tsx'
import { FailureNotice } from '../../../ui/notice/failure-notice.tsx'
import { Notice } from '../../../ui/notice/notice.tsx'
import { counted } from '../../../ui/words/lists.ts'
import type { Draft } from '../drafts/draft.ts'
import { Overtaken, stage } from '../drafts/stage.ts'
import { FlagFrame } from '../flags/flag-frame.tsx'
import { type Flag, useFlagEnvironment, useRules } from '../flags/flag-queries.ts'
import { ViewChoice } from '../flags/view-choice.tsx'
import { useReviewWords } from '../publishing/review-words.ts'
import type { FlagInEnvironment, Rule } from '../rules/rule-rows.ts'
import type { CompareSearch } from './compare-search.ts'
import classes from './comparing.module.css'
import {
  compare,
  copied,
  type Difference,
  other as otherSide,
  type Side,
  type SideOf,
  withAllRules,
} from './comparison.ts'
import { EnvironmentChoice, NothingToCompare, useTwoEnvironments } from './two-environments.tsx'

/** A flag in two environments side by side. What differs can be copied across. */
export function ComparePage() {
  return <FlagFrame>{({ content }) => <Environments flag={content} />}</FlagFrame>
}

function Environments({ flag }: { flag: Flag }) {
  const { environment, other, environments } = useTwoEnvironments()
  if (!other) return <NothingToCompare />
  return (
    <>
      <EnvironmentChoice environment={environment} other={other} environments={environments} />
      <Loading key={`${environment.id} ${other.id}`} flag={flag} environments={[environment, other]} />
    </>
  )
}

interface Both {
  flag: Flag
  environments: readonly [Environment, Environment]
}

function Loading({ flag, environments }: Both) {
  const [one, two] = environments
  const flags = [useFlagEnvironment(flag, one.id), useFlagEnvironment(flag, two.id)] as const
  const rules = [useRules(flag, one.id), useRules(flag, two.id)] as const
  const queries = [...flags, ...rules]
  const data =
    flags[0].data && flags[1].data && rules[0].data && rules[1].data
      ? {
          flags: [flags[0].data.content, flags[1].data.content] as const,
          rules: [rules[0].data.data, rules[1].data.data] as const,
        }
      : undefined
  const error = queries.find((query) => query.error)?.error ?? null
  return (
    <Loaded query={{ data, error, refetch: () => Promise.all(queries.map((query) => query.refetch())) }} lines={5}>
      {(loaded) => <SideBySide flag={flag} environments={environments} {...loaded} />}
    </Loaded>
  )
}

interface SideBySideProps extends Both {
  flags: readonly [FlagInEnvironment, FlagInEnvironment]
  rules: readonly [readonly Rule[], readonly Rule[]]
}

interface Copy {
  /** "Rule Beta users", "All rules" */
  what: string
  from: SideOf
  /** The draft of the other side afterwards. */
  wanted: Draft
}

function SideBySide({ flag, environments, flags, rules }: SideBySideProps) {
  const index = useProjectIndex().data
  const isLiveOnly = (useSearch({ strict: false }) as CompareSearch).view === 'live'
  const mayEdit = useMay('flags:write') && flag.status !== 'ARCHIVED'
  const drafts = [draftOf(flags[0], isLiveOnly), draftOf(flags[1], isLiveOnly)] as const
  const sides = [sideOf(flags[0], drafts[0], rules[0]), sideOf(flags[1], drafts[1], rules[1])] as const
  const { differences, same } = compare(sides, namesOf(index, flags))
  const { copy, news, question } = useCopying({ flag, environments, drafts, rules })
  const mayCopy = mayEdit && !isLiveOnly
  return (
    <Stack gap="md">
      <Views flags={flags} environments={environments} isLiveOnly={isLiveOnly} />
      {news}
      {!mayEdit && flag.status !== 'ARCHIVED' && (
        <OnlyFor>You can compare environments. Editors and admins can copy from one to the other.</OnlyFor>
      )}
      {differences.length === 0 ? (
        <EmptyState icon={<IconEqual size={36} />} title="No difference">
          {`Visitors get the same in ${environments[0].name} and in ${environments[1].name}.`}
        </EmptyState>
      ) : (
        <>
          {mayCopy && differences.some(({ what }) => what === 'rule' || what === 'order') && (
            <CopyAllRules environments={environments} drafts={drafts} copy={copy} />
          )}
          <ul className={classes.list} aria-label="Differences">
            {differences.map((difference) => (
              <li key={difference.key}>
                <DifferenceItem
                  difference={difference}
                  environments={environments}
                  {...(mayCopy && {
                    onCopy: (from) =>
                      copy({ what: nameOf(difference), from, wanted: copied(difference, from, drafts) }),
                  })}
                />
              </li>
            ))}
          </ul>
        </>
      )}
      {same > 0 && (
        <Text size="sm" c="dimmed">
          {counted(same, 'rule')} {same === 1 ? 'is' : 'are'} the same in both.
        </Text>
      )}
      {question}
    </Stack>
  )
}

type Drafts = readonly [Draft, Draft]

interface CopyingOptions extends Pick<SideBySideProps, 'flag' | 'environments' | 'rules'> {
  drafts: Drafts
}

/** Copies from one side to the draft of the other. `news` says what came of it; `question` asks before visitors move. */
function useCopying({ flag, environments, drafts, rules }: CopyingOptions) {
  const client = useQueryClient()
  const [unconfirmed, setUnconfirmed] = useState<{ copy: Copy; message: string }>()
  const [last, setLast] = useState<{ what: string; to: Environment }>()
  const run = async ({ what, from, wanted }: Copy, isConfirmed: boolean) => {
    const to = environments[otherSide(from)]
    const paused = new Set(rules[from].filter(({ enabled }) => !enabled).map(({ id }) => id))
    const place = { projectId: flag.projectId, flagId: flag.id, envId: to.id }
    const undo = await stage(client, place, drafts[otherSide(from)], wanted, { isConfirmed, paused })
    setLast({ what, to })
    announce(`${what} copied. Visitors get this with the next publish to ${to.name}.`, {
      undo: async () => {
        setLast(undefined)
        await undo()
      },
    })
  }
  const copying = useMutation({
    mutationFn: (copy: Copy) => run(copy, false),
    onError: (error, copy) => {
      if (error instanceof ApiError && error.code === 'reassignment_unconfirmed')
        setUnconfirmed({ copy, message: error.message })
    },
  })
  const close = () => {
    setUnconfirmed(undefined)
    copying.reset()
  }
  return {
    copy: copying.mutate,
    news: (
      <>
        {last && <Copied flag={flag} {...last} />}
        <NotCopied error={unconfirmed === undefined ? copying.error : null} />
      </>
    ),
    question: unconfirmed && (
      <ConfirmDialog
        title={`Copy to ${environments[otherSide(unconfirmed.copy.from)].name}`}
        verb="Copy anyway"
        act={() => run(unconfirmed.copy, true)}
        onClose={close}
      >
        {unconfirmed.message}
      </ConfirmDialog>
    ),
  }
}

function Copied({ flag, what, to }: { flag: Flag; what: string; to: Environment }) {
  return (
    <Notice tone="unpublished" title={`${what} copied`} actions={<ReviewLink flag={flag} environment={to} />}>
      Visitors get this with the next publish to {to.name}.
    </Notice>
  )
}

function NotCopied({ error }: { error: unknown }) {
  const isOvertaken = error instanceof Overtaken || (error instanceof ApiError && error.status === 412)
  if (!isOvertaken) return <FailureNotice error={error} title="Not copied" />
  return (
    <Notice tone="warning" says="at once" title="Another person has changed this meanwhile">
      Nothing more was copied. This is the new state. Look at it, then copy again.
    </Notice>
  )
}

interface CopyAllRulesProps extends Pick<SideBySideProps, 'environments'> {
  drafts: Drafts
  copy: (copy: Copy) => void
}

function CopyAllRules({ environments, drafts, copy }: CopyAllRulesProps) {
  return (
    <Group gap="xs">
      {([0, 1] as const)
        .filter((from) => drafts[from].rules.length > 0)
        .map((from) => {
          const wanted = withAllRules(drafts[from], drafts[otherSide(from)])
          return (
            <Button key={from} variant="default" onClick={() => copy({ what: 'All rules', from, wanted })}>
              Copy all rules to {environments[otherSide(from)].name}
            </Button>
          )
        })}
    </Group>
  )
}

const nameOf = ({ what, subject }: Difference): string => (what === 'rule' ? `Rule ${subject}` : subject)

interface ItemProps {
  difference: Difference
  environments: readonly [Environment, Environment]
  onCopy?: (from: SideOf) => void
}

function DifferenceItem({ difference, environments, onCopy }: ItemProps) {
  const { what, words, pair } = difference
  // A switch acts at once, so it is moved on the page of the flag.
  const hasCopy = (from: SideOf) => what !== 'switch' && (what !== 'rule' || pair?.[from] !== undefined)
  return (
    <Paper component="section" withBorder p="md" radius="md" aria-label={nameOf(difference)}>
      <Title order={2} size="h3">
        {nameOf(difference)}
      </Title>
      <div className={classes.sides}>
        {([0, 1] as const).map((side) => (
          <div key={side} className={classes.side}>
            <Text size="xs" c="dimmed">
              {environments[side].name}
            </Text>
            <Text size="sm">{words[side]}</Text>
            {onCopy && hasCopy(side) && (
              <ButtonFor
                label={`Copy to ${environments[otherSide(side)].name}`}
                what={nameOf(difference)}
                variant="default"
                size="compact-sm"
                onClick={() => onCopy(side)}
              />
            )}
          </div>
        ))}
      </div>
    </Paper>
  )
}

interface ViewsProps {
  flags: SideBySideProps['flags']
  environments: Both['environments']
  isLiveOnly: boolean
}

/** Whether drafts or what is live is compared, and how much is unpublished. */
function Views({ flags, environments, isLiveOnly }: ViewsProps) {
  const navigate = useNavigate()
  const view = (next: 'live' | undefined) =>
    void navigate({ to: '.', search: ((old: object) => ({ ...old, view: next })) as never, resetScroll: false })
  const unpublished = flags.flatMap(({ changes }, at) =>
    changes.length === 0 ? [] : `${environments[at]!.name} has ${counted(changes.length, 'unpublished change')}.`,
  )
  if (unpublished.length === 0) return null
  return (
    <Group gap="sm">
      <Text size="sm" c="dimmed">
        {unpublished.join(' ')}
      </Text>
      <ViewChoice label="What is compared" isLiveOnly={isLiveOnly} onView={view} />
    </Group>
  )
}

function ReviewLink({ flag, environment }: { flag: Flag; environment: Environment }) {
  const { params } = usePlace()
  return (
    <ButtonLink
      to="/$org/$project/environments/$environment/publish"
      params={{ ...params, environment: environment.key }}
      search={{ flags: flag.key }}
    >
      {useReviewWords()}
    </ButtonLink>
  )
}

function draftOf({ draft, live }: FlagInEnvironment, isLiveOnly: boolean): Draft {
  const { defaultVariationKey, overrides, rules } = isLiveOnly ? live : draft
  return { defaultVariationKey, overrides, rules }
}

const sideOf = ({ enabled }: FlagInEnvironment, draft: Draft, rules: readonly Rule[]): Side => ({
  draft,
  isRunning: enabled,
  switches: new Map(rules.map((rule) => [rule.id, rule.enabled])),
})

function namesOf(index: ReturnType<typeof useProjectIndex>['data'], flags: SideBySideProps['flags']): ChangeNames {
  return {
    audiences: namesById(index?.audiences),
    segments: namesById(index?.segments),
    rules: namesById(flags.flatMap(({ draft, live }) => [...draft.rules, ...live.rules])),
  }
}
