import { ActionIcon, Button, Menu, Paper, Text, Title } from '@mantine/core'
import { IconArrowDown, IconArrowUp } from '@tabler/icons-react'
import { lazy, Suspense } from 'react'
import { LastChange } from '../../../shell/deleted.tsx'
import { usePlace } from '../../../shell/place.ts'
import { useMay } from '../../../shell/session.ts'
import { Changing } from '../../../ui/changes/changing.tsx'
import { givesOf, isForAll, isForEveryone, shareOf } from '../../../ui/changes/rule-sentence.ts'
import { ButtonFor } from '../../../ui/layout/button-for.tsx'
import { DotsMenu } from '../../../ui/links/dots-menu.tsx'
import { ButtonLink } from '../../../ui/links/links.tsx'
import { Status } from '../../../ui/status/status-badge.tsx'
import { StatusDot } from '../../../ui/status/status-dot.tsx'
import { statusOf, typeWords } from '../../../ui/status/status-words.ts'
import { dayNumber } from '../../../ui/time/distance.ts'
import { Time, useNow } from '../../../ui/time/time.tsx'
import { counted } from '../../../ui/words/lists.ts'
import { useTargeting } from '../flags/targeting-place.ts'
import { ScheduleHere } from '../schedules/schedules-here.tsx'
import { useOpenSchedule } from '../schedules/use-open-schedule.ts'
import { FlagSwitch } from '../switches/flag-switch.tsx'
import { MakeButton } from './make-button.tsx'
import type { useRuleActions } from './rule-actions.ts'
import { latestAuthor, type RuleRow, ruleState } from './rule-rows.ts'
import { Who } from './rule-words.tsx'
import classes from './rules.module.css'

// Most A/B tests are experiments already.
const MakeExperiment = lazy(async () => ({ default: (await import('./make-experiment.tsx')).MakeExperiment }))

interface RuleItemProps {
  row: RuleRow
  /** In the order of the rules that stay. */
  place: number
  actions: ReturnType<typeof useRuleActions>
  onEdit: () => void
  onMove: (step: 1 | -1) => void
}

/** A rule as a sentence, with its switch and what can be done with it. */
export function RuleItem(props: RuleItemProps) {
  const { row, place } = props
  const isDeleted = row.state === 'deleted'
  return (
    <Paper withBorder p="sm" radius="md" className={classes.row ?? ''}>
      <Text size="sm" c="dimmed" aria-hidden>
        {isDeleted ? '' : place}
      </Text>
      <div className={classes.words}>
        <Head row={row} />
        {isDeleted ? (
          <Text size="sm" component="div">
            <Changing next="Deleted with the next publish" />
          </Text>
        ) : (
          <RuleWords row={row} />
        )}
        <ScheduleHere ruleId={row.id} />
      </div>
      <div className={classes.buttons}>
        <Links row={row} />
        <Edits {...props} />
      </div>
    </Paper>
  )
}

/** Its name, its state, who has edited it, and its switch. */
function Head({ row }: { row: RuleRow }) {
  const { flag, environment, inEnvironment } = useTargeting()
  const { shown, live, rule, state } = row
  const status = statusOf('rule', ruleState(row, inEnvironment.enabled && flag.status !== 'ARCHIVED'))
  const author = latestAuthor(row.changes)
  const day = useTestDay(row)
  return (
    <div className={classes.head}>
      <Title order={3}>{shown.name}</Title>
      <Text size="sm" c="dimmed" component="span">
        {typeWords[shown.type]}
        {day !== undefined && `, day ${day}`}
      </Text>
      {state !== 'deleted' && <StatusDot tone={status.tone}>{status.words}</StatusDot>}
      {state === 'new' && <Status of="change" value="NEW" />}
      {state === 'edited' && <Status of="change" value="EDITED" />}
      {author && (
        <Text size="sm" c="dimmed" component="span">
          by {author.name}, <Time time={author.at} />
        </Text>
      )}
      <LastChange kind="rule" id={row.id} />
      {rule && rule.experimentId === null && (
        <FlagSwitch
          flag={flag}
          environment={environment}
          rule={shown}
          isRunning={rule.enabled}
          isArchived={flag.status === 'ARCHIVED'}
          consequence={{
            run: `${shown.name} serves ${givesOf(live ?? shown)} in ${environment.name}, as soon as it is published.`,
            pause: `${shown.name} stops serving. Its visitors get what the rules below say.`,
          }}
        />
      )}
    </div>
  )
}

/** Where its experiment or its results are. */
function Links({ row: { id, shown, rule } }: { row: RuleRow }) {
  const { flag, environment } = useTargeting()
  const { params } = usePlace()
  if (rule?.experimentId != null)
    return (
      <ButtonLink
        to="/$org/$project/experiments/$experiment"
        params={{ ...params, experiment: rule.experimentId }}
        variant="default"
        size="compact-sm"
        aria-label={`Experiment of ${shown.name}`}
      >
        Experiment
      </ButtonLink>
    )
  if (shown.type !== 'AB_TEST') return null
  return (
    <ButtonLink
      to="/$org/$project/flags/$flag/results"
      params={{ ...params, flag: flag.key }}
      search={{ env: environment.key, rule: id }}
      variant="default"
      size="compact-sm"
      aria-label={`Results of ${shown.name}`}
    >
      Results
    </ButtonLink>
  )
}

/** What people who may edit can do with it. An experiment changes its rule itself. */
function Edits({ row, actions, onEdit, onMove }: RuleItemProps) {
  const { mayEdit } = useTargeting()
  const mayTest = useMay('experiments:write')
  const openSchedule = useOpenSchedule()
  const { shown, rule, state, changes } = row
  if (!mayEdit) return null
  const isDeleted = state === 'deleted'
  const isOwn = rule?.experimentId == null
  return (
    <>
      {mayTest && !isDeleted && shown.type === 'AB_TEST' && rule?.experimentId === null && (
        <Suspense fallback={<MakeButton disabled />}>
          <MakeExperiment rule={shown} />
        </Suspense>
      )}
      {changes.length > 0 && (
        <ButtonFor
          label={changes.length > 1 ? `Undo ${counted(changes.length, 'change')}` : 'Undo'}
          what={shown.name}
          variant="subtle"
          size="compact-sm"
          onClick={() => actions.undo(row)}
        />
      )}
      {!isDeleted && (
        <>
          {isOwn && (
            <Button variant="default" size="compact-sm" onClick={onEdit} aria-label={`Edit ${shown.name}`}>
              Edit
            </Button>
          )}
          <ActionIcon variant="subtle" color="gray" aria-label={`Move ${shown.name} up`} onClick={() => onMove(-1)}>
            <IconArrowUp size={16} aria-hidden />
          </ActionIcon>
          <ActionIcon variant="subtle" color="gray" aria-label={`Move ${shown.name} down`} onClick={() => onMove(1)}>
            <IconArrowDown size={16} aria-hidden />
          </ActionIcon>
          <DotsMenu label={`More for ${shown.name}`} isInRow>
            {isOwn && <Menu.Item onClick={() => openSchedule(row.id)}>Schedule</Menu.Item>}
            <Menu.Item onClick={() => actions.duplicate(row)}>Duplicate</Menu.Item>
            {isOwn && <Menu.Item onClick={() => actions.remove(row)}>Delete</Menu.Item>}
          </DotsMenu>
        </>
      )}
    </>
  )
}

/** The day of a test that serves, counted from when visitors first got it. */
function useTestDay({ shown, rule }: RuleRow): number | undefined {
  const now = useNow()
  const since = rule?.status === 'RUNNING' && shown.type === 'AB_TEST' ? rule.firstServedAt : null
  return since === null ? undefined : dayNumber(since, now)
}

function RuleWords({ row: { shown, live, changes } }: { row: RuleRow }) {
  const { names, inEnvironment, isLiveOnly } = useTargeting()
  const isChanged = (...fields: string[]) =>
    live !== undefined && changes.some(({ path }) => fields.some((field) => path === `rules.${shown.id}.${field}`))
  const who = <Who rule={shown} names={names} />
  const isShareChanged = live !== undefined && isChanged('trafficAllocation')
  const share = isShareChanged ? <Changing live={shareOf(live)} next={shareOf(shown)} /> : shareOf(shown)
  const [hasShare, isEveryone] = [isShareChanged || !isForAll(shown), isForEveryone(shown)]
  const { overrides } = isLiveOnly ? inEnvironment.live : inEnvironment.draft
  const always = overrides.ruleAllowlists
    .find(({ ruleId }) => ruleId === shown.id)
    ?.entries.reduce((sum, { userIds }) => sum + userIds.length, 0)
  return (
    <Text size="sm" component="div">
      {hasShare && isEveryone && <>{share} of </>}
      {live && isChanged('audienceIds', 'conditions') ? (
        <Changing live={<Who rule={live} names={names} />} next={who} />
      ) : (
        who
      )}
      {hasShare && !isEveryone && <>: {share} of them</>} {isEveryone && !hasShare ? 'gets' : 'get'}{' '}
      {live && isChanged('variationKey', 'variations') ? (
        <Changing live={givesOf(live)} next={givesOf(shown)} />
      ) : (
        <strong>{givesOf(shown)}</strong>
      )}
      {always !== undefined && always > 0 && `; ${counted(always, 'visitor')} always`}
    </Text>
  )
}
