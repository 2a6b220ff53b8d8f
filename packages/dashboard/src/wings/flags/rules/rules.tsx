import { Button, Group, Menu, Stack, Text, VisuallyHidden } from '@mantine/core'
import { IconArrowsShuffle, IconChevronDown, IconCopy, IconPercentage } from '@tabler/icons-react'
import { type KeyboardEvent, type RefObject, useEffect, useRef, useState } from 'react'
import { useKeys } from '../../../shell/keys.ts'
import { usePlace } from '../../../shell/place.ts'
import { useMay } from '../../../shell/session.ts'
import { Changing } from '../../../ui/changes/changing.tsx'
import { MainAction } from '../../../ui/layout/page.tsx'
import { ButtonLink } from '../../../ui/links/links.tsx'
import { FailureNotice } from '../../../ui/notice/failure-notice.tsx'
import { useTargeting } from '../flags/targeting-place.ts'
import { usePausedVariation } from '../variations/paused-variation.ts'
import { newExperimentPanel } from './new-experiment.ts'
import { useRuleActions } from './rule-actions.ts'
import { RuleItem } from './rule-item.tsx'
import { liveRows, type RuleRow, ruleRows } from './rule-rows.ts'
import classes from './rules.module.css'

/** The rules in the order in which they are asked, and what everyone else gets. */
export function Rules({ onOpen }: { onOpen: (rule: string) => void }) {
  const { inEnvironment, rules, isLiveOnly, mayEdit } = useTargeting()
  const actions = useRuleActions()
  const list = useRef<HTMLOListElement>(null)
  const rows = isLiveOnly ? liveRows(inEnvironment, rules) : ruleRows(inEnvironment, rules)
  const [active, setActive] = useState<string>()
  const moving = useRef<string>(undefined)

  // The browser drops the focus when React puts an element elsewhere.
  useEffect(() => {
    if (moving.current === undefined || document.activeElement !== document.body) return
    focusRule(list.current, moving.current)
    moving.current = undefined
  })
  const move = (row: RuleRow, step: 1 | -1) => {
    if (actions.move(row.shown, step)) moving.current = row.id
  }
  useRuleKeys({ rows, active, list, onOpen })
  const press = (event: KeyboardEvent, row: RuleRow) => {
    const step = { ArrowUp: -1, ArrowDown: 1 }[event.key] as 1 | -1 | undefined
    if (mayEdit && event.altKey && step && row.state !== 'deleted') {
      event.preventDefault()
      move(row, step)
    }
    if (mayEdit && event.key === 'Enter' && event.target === event.currentTarget && row.state !== 'deleted') {
      event.preventDefault()
      onOpen(row.id)
    }
  }
  return (
    <Stack gap="sm">
      <VisuallyHidden component="h2">Rules</VisuallyHidden>
      <FailureNotice error={actions.failure} />
      {rows.length === 0 ? (
        <Text size="sm" c="dimmed">
          {isLiveOnly ? 'No rule is live here.' : 'No rules yet. Everyone gets the same.'}
        </Text>
      ) : (
        <ol className={classes.list} ref={list} aria-label="Rules, in the order of evaluation">
          {rows.map((row) => (
            <li
              key={row.id}
              className={classes.rule}
              data-rule={row.id}
              tabIndex={-1}
              aria-label={row.shown.name}
              onFocus={() => setActive(row.id)}
              onKeyDown={(event) => press(event, row)}
            >
              <RuleItem
                row={row}
                place={rows.filter(({ state }) => state !== 'deleted').indexOf(row) + 1}
                actions={actions}
                onEdit={() => onOpen(row.id)}
                onMove={(step) => move(row, step)}
              />
            </li>
          ))}
        </ol>
      )}
      <Else actions={actions} who={rows.length === 0 ? 'Everyone' : 'Everyone else'} />
      {mayEdit && <AddRule onOpen={onOpen} actions={actions} />}
    </Stack>
  )
}

interface RuleKeys {
  rows: readonly RuleRow[]
  /** The rule that has or had the focus. */
  active: string | undefined
  list: RefObject<HTMLOListElement | null>
  onOpen: (rule: string) => void
}

/** The keys of the page that are about its rules. */
function useRuleKeys({ rows, active, list, onOpen }: RuleKeys) {
  const { mayEdit } = useTargeting()
  const go = (step: 1 | -1) => {
    const at = rows.findIndex(({ id }) => id === active)
    const next = rows[at === -1 ? 0 : Math.min(Math.max(at + step, 0), rows.length - 1)]
    if (next) focusRule(list.current, next.id)
  }
  const current = rows.find(({ id }) => id === active)
  useKeys({
    j: { label: 'Next rule', act: () => go(1) },
    k: { label: 'Previous rule', act: () => go(-1) },
    ...(mayEdit && {
      // The rule that has the focus takes these keys itself (press).
      'alt+arrowup': { label: 'Move the rule up', act: () => undefined },
      'alt+arrowdown': { label: 'Move the rule down', act: () => undefined },
      c: { label: 'Add a rollout', act: () => onOpen('new-rollout') },
      e: {
        label: 'Edit the rule',
        act: () => {
          const row = current ?? rows.find(({ state }) => state !== 'deleted')
          if (row && row.state !== 'deleted') onOpen(row.id)
        },
      },
    }),
  })
}

const focusRule = (list: HTMLElement | null, id: string) =>
  list?.querySelector<HTMLElement>(`[data-rule="${CSS.escape(id)}"]`)?.focus()

type Actions = ReturnType<typeof useRuleActions>

function Else({ actions, who }: { actions: Actions; who: string }) {
  const { flag, inEnvironment, isLiveOnly, mayEdit } = useTargeting()
  const live = inEnvironment.live.defaultVariationKey
  const draft = inEnvironment.draft.defaultVariationKey
  return (
    <Group className={classes.else ?? ''} gap="md">
      <Text size="sm" component="span">
        {who} gets {isLiveOnly || live === draft ? <strong>{live}</strong> : <Changing live={live} next={draft} />}
      </Text>
      {mayEdit && (
        <Menu>
          <Menu.Target>
            <Button
              variant="default"
              size="compact-sm"
              rightSection={<IconChevronDown size={14} aria-hidden />}
              aria-label={`Change what ${who.toLowerCase()} gets`}
            >
              Change
            </Button>
          </Menu.Target>
          <Menu.Dropdown>
            {flag.variations.map((variation) => (
              <Menu.Item key={variation.id} onClick={() => actions.setDefault(variation)}>
                {variation.name} ({variation.key})
              </Menu.Item>
            ))}
          </Menu.Dropdown>
        </Menu>
      )}
      <Text size="sm" c="dimmed" component="span">
        While paused, everyone gets <strong>{usePausedVariation()}</strong>
      </Text>
    </Group>
  )
}

function AddRule({ onOpen, actions }: { onOpen: (rule: string) => void; actions: Actions }) {
  const { environments, params } = usePlace()
  const { flag, environment, inEnvironment } = useTargeting()
  const mayTest = useMay('experiments:write')
  const others = environments.filter(({ id }) => id !== environment.id)
  // While something is unpublished, that is what the page asks for.
  const isMain = inEnvironment.changes.length === 0
  const rollout = (
    <Button
      variant={isMain ? 'filled' : 'default'}
      leftSection={<IconPercentage size={16} aria-hidden />}
      onClick={() => onOpen('new-rollout')}
    >
      Add rollout
    </Button>
  )
  return (
    <Group gap="xs">
      {isMain ? <MainAction>{rollout}</MainAction> : rollout}
      {mayTest && (
        <ButtonLink
          to="/$org/$project/experiments"
          params={params}
          search={{ panel: newExperimentPanel(flag.key, environment.key) }}
          variant="default"
          leftSection={<IconArrowsShuffle size={16} aria-hidden />}
        >
          Add A/B test
        </ButtonLink>
      )}
      {others.length > 0 && (
        <Menu>
          <Menu.Target>
            <Button variant="subtle" leftSection={<IconCopy size={16} aria-hidden />}>
              Copy rules from…
            </Button>
          </Menu.Target>
          <Menu.Dropdown>
            {others.map((other) => (
              <Menu.Item key={other.id} onClick={() => actions.copyFrom(other)}>
                {other.name}
              </Menu.Item>
            ))}
          </Menu.Dropdown>
        </Menu>
      )}
    </Group>
  )
}
