import { Button } from '@mantine/core'
import { ApiError } from '@svc/client'
import { useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useRef, useState } from 'react'
import { randomKey } from '../../../idempotency.ts'
import { useEditForm } from '../../../shell/edit-form.tsx'
import { useChangedBy } from '../../../shell/live.tsx'
import { usePlace } from '../../../shell/place.ts'
import { ruleSentence } from '../../../ui/changes/rule-sentence.ts'
import { missingCondition, withoutEmptyRows } from '../../../ui/conditions/condition-check.ts'
import type { ConditionNames } from '../../../ui/conditions/condition-words.ts'
import { SidePanel } from '../../../ui/dialog/side-panel.tsx'
import { ApiForm, required } from '../../../ui/form/form.tsx'
import { merge } from '../../../ui/form/merge.ts'
import { announce } from '../../../ui/notice/announce.tsx'
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
export function RuleEditor(props: RuleEditorProps) {
  const { type, ruleId, initial, currentEtag, isGone = false, onClose } = props
  const { names, inEnvironment, environment } = useTargeting()
  const changed = useChangedBy('rule', ruleId ?? '')
  const { form, dialog, base } = useRuleForm(props, changed?.name)
  const { values, failure } = form
  const what = type === 'AB_TEST' ? 'A/B test' : 'rollout'
  const isOvertaken = currentEtag !== undefined && currentEtag !== base.etag
  return (
    <SidePanel
      title={ruleId ? `Edit ${what}: ${base.content.name}` : `New ${what}`}
      description={environment.name}
      onClose={onClose}
    >
      <ApiForm
        form={form}
        verb="Save draft"
        summary="Visitors get it with the next publish."
        failed="The rule was not saved"
        refusal={isUnconfirmed(failure) && <Unconfirmed failure={failure} save={form.save} />}
        actions={
          <>
            <Button variant="default" onClick={() => form.save({ andReview: true })}>
              Save and review
            </Button>
            <Button
              variant="default"
              onClick={() => {
                form.forget()
                onClose()
              }}
            >
              Cancel
            </Button>
          </>
        }
      >
        {isGone && (
          <Notice tone="bad" title="This rule was deleted" says="politely">
            What you typed is still here, but it cannot be saved. Add a new rule to use it.
          </Notice>
        )}
        <Moved ruleId={ruleId} />
        {isOvertaken && !isGone && (
          <Overtaken
            who={changed?.name}
            at={changed?.at}
            base={base.content}
            mine={values}
            theirs={initial.values}
            names={names}
          />
        )}
        <RuleFields
          type={type}
          values={values}
          set={form.setAll}
          faults={form.faults}
          issues={form.issues}
          live={inEnvironment.live.rules.find(({ id }) => id === ruleId)}
        />
      </ApiForm>
      {dialog}
    </SidePanel>
  )
}

/** What the buttons ask for. */
interface How {
  andReview?: boolean
  /** Visitors of a running test may get another variation. */
  isConfirmed?: boolean
}

function useRuleForm({ type, ruleId, initial, onClose }: RuleEditorProps, who: string | undefined) {
  const place = useTargeting()
  const { flag, environment, names } = place
  const { params } = usePlace()
  const client = useQueryClient()
  const navigate = useNavigate()
  const idempotencyKey = useKeyOfBody()
  return useEditForm<RuleValues, void, How>({
    object: ruleId ? `rule:${ruleId}` : `new-rule:${type}:${flag.id}:${environment.id}`,
    base: { content: initial.values, etag: initial.etag },
    tidy: (values) => ({ ...values, conditions: withoutEmptyRows(values.conditions) }),
    rules: { name: required('Enter a name.'), conditions: missingCondition },
    read: () => currentRule(place, ruleId!),
    write: (values, etag, base, { isConfirmed = false } = {}) =>
      saveRule(place, { type, ruleId, values, base, etag, isConfirmed, idempotencyKey }),
    done: async (_answer, _values, { andReview = false } = {}) => {
      await refreshFlag(client)
      announce(`Saved. Visitors get this with the next publish to ${environment.name}.`)
      if (!andReview) return onClose()
      await navigate({
        to: '/$org/$project/environments/$environment/publish',
        params: { ...params, environment: environment.key },
        search: { flags: flag.key },
      } as never)
    },
    who,
    labels,
    shown: (field, value) => fieldWords(field, value, names),
    sentence: (values) => ruleSentence({ ...values, type } as unknown as RuleDefinition, names),
  })
}

/** The same key for the same body, so that a repeated call creates one rule. */
function useKeyOfBody() {
  const sent = useRef({ text: '', key: '' })
  return (body: object) => {
    const text = JSON.stringify(body)
    if (sent.current.text !== text) sent.current = { text, key: randomKey() }
    return sent.current.key
  }
}

const isUnconfirmed = (failure: unknown): failure is ApiError =>
  failure instanceof ApiError && failure.code === 'reassignment_unconfirmed'

function Unconfirmed({ failure, save }: { failure: ApiError; save: (how: How) => void }) {
  return (
    <Notice
      tone="warning"
      title="This gives visitors another variation"
      says="at once"
      actions={<Button onClick={() => save({ isConfirmed: true })}>Save and move them</Button>}
    >
      {movedWords(failure.details)} Their results so far count for the variation that they had.
    </Notice>
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
