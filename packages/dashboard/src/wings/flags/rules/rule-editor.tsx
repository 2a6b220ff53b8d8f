import { Button, Group, Stack, Text } from '@mantine/core'
import { ApiError } from '@svc/client'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { type KeyboardEvent, useRef, useState } from 'react'
import { randomKey } from '../../../idempotency.ts'
import { useChangedBy } from '../../../shell/live.tsx'
import { usePlace } from '../../../shell/place.ts'
import { useSession } from '../../../shell/session.ts'
import { ruleSentence } from '../../../ui/changes/rule-sentence.ts'
import { conditionFaults, refusedConditions, withoutEmptyRows } from '../../../ui/conditions/condition-check.ts'
import type { ConditionNames } from '../../../ui/conditions/condition-words.ts'
import { ConflictDialog } from '../../../ui/dialog/conflict-dialog.tsx'
import { SidePanel } from '../../../ui/dialog/side-panel.tsx'
import { ErrorSummary } from '../../../ui/form/error-summary.tsx'
import { fieldErrors } from '../../../ui/form/field-errors.ts'
import { useKept } from '../../../ui/form/kept-form.ts'
import { type Merged, merge } from '../../../ui/form/merge.ts'
import { RestoredNotice } from '../../../ui/form/restored-notice.tsx'
import { announce } from '../../../ui/notice/announce.tsx'
import { FailureNotice } from '../../../ui/notice/failure-notice.tsx'
import { Notice } from '../../../ui/notice/notice.tsx'
import { Time } from '../../../ui/time/time.tsx'
import { refreshFlag } from '../flags/flag-queries.ts'
import { useTargeting } from '../flags/targeting-place.ts'
import { movedWords } from './moved-words.ts'
import { RuleFields } from './rule-fields.tsx'
import { fieldWords, labels, type RuleType, type RuleValues } from './rule-form.ts'
import { latestAuthor, type RuleDefinition } from './rule-rows.ts'
import { currentRule, saveRule } from './save-rule.ts'

interface RuleEditorProps {
  type: RuleType
  /** Left out for a new rule. */
  ruleId?: string
  /** As it was read. */
  initial: { values: RuleValues; etag: string }
  /** The latest known version. */
  currentEtag?: string
  /** Another person has deleted the rule. */
  isGone?: boolean
  onClose: () => void
}

/** The form of a rule, in a panel beside the list. What is typed survives a reload; two edits are merged by field. */
export function RuleEditor({ type, ruleId, initial, currentEtag, isGone, onClose }: RuleEditorProps) {
  const place = useTargeting()
  const { flag, environment, names } = place
  const { params } = usePlace()
  const { user } = useSession()
  const client = useQueryClient()
  const navigate = useNavigate()
  const form = useRef<HTMLFormElement>(null)
  const object = ruleId ? `rule:${ruleId}` : `new-rule:${type}:${flag.id}:${environment.id}`
  const kept = useKept({
    place: { person: user.id, object, etag: initial.etag },
    initial: { mine: initial.values, base: initial.values, etag: initial.etag },
  })
  const { mine, base, etag } = kept.values
  const changed = useChangedBy('rule', ruleId ?? '')
  const [faults, setFaults] = useState<{ name: string; message: string }[]>([])
  const [conflict, setConflict] = useState<{
    merged: Merged<RuleValues>
    theirs: RuleValues
    etag: string
    who: string
  }>()

  const sent = useRef({ text: '', key: '' })
  const idempotencyKey = (body: object) => {
    const text = JSON.stringify(body)
    if (sent.current.text !== text) sent.current = { text, key: randomKey() }
    return sent.current.key
  }
  const set = (next: Partial<RuleValues>) => {
    setFaults((current) => current.filter(({ name }) => !(name in next)))
    kept.set({ mine: { ...mine, ...next } })
  }
  const save = useMutation({
    mutationFn: async (options: { andReview: boolean; confirmed?: boolean; from?: typeof kept.values }) => {
      const { mine, base, etag } = options.from ?? kept.values
      await saveRule(place, {
        type,
        ruleId,
        values: mine,
        base,
        etag,
        isConfirmed: options.confirmed === true,
        idempotencyKey,
      })
    },
    onSuccess: async (_, { andReview }) => {
      kept.forget()
      setConflict(undefined)
      await refreshFlag(client)
      announce(`Saved. Visitors get this with the next publish to ${environment.name}.`)
      if (!andReview) return onClose()
      await navigate({
        to: '/$org/$project/environments/$environment/publish',
        params: { ...params, environment: environment.key },
        search: { flags: flag.key },
      } as never)
    },
    onError: async (error) => {
      if (!(error instanceof ApiError)) return
      if (error.status === 412 && ruleId !== undefined) {
        const current = await currentRule(place, ruleId)
        setConflict({ ...current, theirs: current.values, merged: merge(base, mine, current.values) })
      }
      const { fields } = fieldErrors(error.issues, Object.keys(mine))
      if (fields.conditions) fields.conditions = refusedConditions(error.issues, mine.conditions)[0]!.message
      setFaults(Object.entries(fields).map(([name, message]) => ({ name, message })))
      if (Object.keys(fields).length === 1) setTimeout(() => focusFault(form.current))
    },
  })
  const submit = (andReview: boolean, confirmed = false) => {
    if (save.isPending) return
    const conditions = withoutEmptyRows(mine.conditions)
    const [missing] = conditionFaults(conditions)
    const found = [
      ...(mine.name.trim() === '' ? [{ name: 'name', message: 'Enter a name.' }] : []),
      ...(missing ? [{ name: 'conditions', message: missing.message }] : []),
    ]
    const from = { ...kept.values, mine: { ...mine, conditions } }
    kept.set(from)
    setFaults(found)
    if (found.length === 1) setTimeout(() => focusFault(form.current))
    if (found.length === 0) save.mutate({ andReview, confirmed, from })
  }
  const takeOver = (mine: RuleValues) => {
    if (!conflict) return
    const from = { mine, base: conflict.theirs, etag: conflict.etag }
    kept.set(from)
    setConflict(undefined)
    save.mutate({ andReview: false, from })
  }
  const press = (event: KeyboardEvent) => {
    if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return
    event.preventDefault()
    submit(false)
  }
  const refusal = save.error instanceof ApiError ? save.error : undefined
  const isUnconfirmed = refusal?.code === 'reassignment_unconfirmed'
  const isShownElsewhere = faults.length > 0 || isUnconfirmed || conflict !== undefined
  const what = type === 'AB_TEST' ? 'A/B test' : 'rollout'
  const isOvertaken = currentEtag !== undefined && currentEtag !== etag
  return (
    <SidePanel
      title={ruleId ? `Edit ${what}: ${base.name}` : `New ${what}`}
      description={environment.name}
      onClose={onClose}
      actions={
        <>
          <Button loading={save.isPending} onClick={() => submit(false)} aria-keyshortcuts="Control+Enter">
            Save draft
          </Button>
          <Button variant="default" onClick={() => submit(true)}>
            Save and review
          </Button>
          <Button
            variant="default"
            onClick={() => {
              kept.forget()
              onClose()
            }}
          >
            Cancel
          </Button>
          <Text size="xs" c="dimmed">
            Visitors get it with the next publish.
          </Text>
        </>
      }
    >
      <form
        ref={form}
        noValidate
        onKeyDown={press}
        onSubmit={(event) => {
          event.preventDefault()
          submit(false)
        }}
      >
        <Stack gap="md">
          {isGone && (
            <Notice tone="bad" title="This rule was deleted" says="politely">
              What you typed is still here, but it cannot be saved. Add a new rule to use it.
            </Notice>
          )}
          <Moved ruleId={ruleId} />
          {kept.isRestored && <RestoredNotice discard={kept.discard} />}
          {isOvertaken && !isGone && (
            <Overtaken
              who={changed?.name}
              at={changed?.at}
              base={base}
              mine={mine}
              theirs={initial.values}
              names={names}
            />
          )}
          {isUnconfirmed && (
            <Notice
              tone="warning"
              title="This gives visitors another variation"
              says="at once"
              actions={<Button onClick={() => submit(false, true)}>Save and move them</Button>}
            >
              {movedWords(refusal.details)} Their results so far count for the variation that they had.
            </Notice>
          )}
          <FailureNotice error={isShownElsewhere ? undefined : save.error} title="The rule was not saved" />
          <ErrorSummary faults={faults} form={form} />
          <RuleFields
            type={type}
            values={mine}
            set={set}
            faults={faults}
            issues={refusal?.issues ?? []}
            live={place.inEnvironment.live.rules.find(({ id }) => id === ruleId)}
          />
        </Stack>
        {/* Enter in a field saves. */}
        <Group display="none">
          <button type="submit" tabIndex={-1} aria-hidden />
        </Group>
      </form>
      {conflict && (
        <ConflictDialog
          who={conflict.who}
          merged={conflict.merged}
          labels={labels}
          shown={(field, value) => fieldWords(field, value, names)}
          sentence={(values) => ruleSentence({ ...values, type } as unknown as RuleDefinition, names)}
          onSave={takeOver}
          isSaving={save.isPending}
          onClose={() => setConflict(undefined)}
        />
      )}
    </SidePanel>
  )
}

/** Another person has put the rule elsewhere since it was opened. */
function Moved({ ruleId }: { ruleId: string | undefined }) {
  const { changes, draft } = useTargeting().inEnvironment
  const place = draft.rules.findIndex(({ id }) => id === ruleId) + 1
  const [opened] = useState(place)
  if (place === opened || place === 0) return null
  const author = latestAuthor(changes.filter(({ path }) => path === 'ruleOrder'))
  return (
    <Notice says="politely">
      {author?.name ?? 'Another person'} moved this rule to place {place}
      {author && (
        <>
          , <Time time={author.at} />
        </>
      )}
      . It does not touch your edit.
    </Notice>
  )
}

interface OvertakenProps {
  who: string | undefined
  at: Date | undefined
  base: RuleValues
  mine: RuleValues
  theirs: RuleValues
  names: ConditionNames
}

/** What another person has saved meanwhile, and whether it touches what is typed. */
function Overtaken({ who = 'Another person', at, base, mine, theirs, names }: OvertakenProps) {
  const fields = (Object.keys(labels) as (keyof RuleValues)[]).filter(
    (field) => JSON.stringify(base[field]) !== JSON.stringify(theirs[field]),
  )
  const both = merge(base, mine, theirs).conflicts.map(({ field }) => labels[field as keyof RuleValues])
  return (
    <Notice
      tone="warning"
      title={
        <>
          {who} has changed this rule
          {at && (
            <>
              , <Time time={at.toISOString()} />
            </>
          )}
        </>
      }
      says="politely"
    >
      {fields.map((field) => (
        <div key={field}>
          {labels[field]}: {fieldWords(field, base[field], names)} → {fieldWords(field, theirs[field], names)}
        </div>
      ))}
      {both.length === 0
        ? 'It does not touch your edit.'
        : `You have changed this too: ${both.join(', ')}. You choose when you save.`}
    </Notice>
  )
}

const focusFault = (form: HTMLFormElement | null) =>
  form?.querySelector<HTMLElement>('[aria-invalid="true"], [data-invalid="true"] input')?.focus()
