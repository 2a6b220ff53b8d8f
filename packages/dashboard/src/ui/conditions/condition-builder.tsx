import { ActionIcon, Button, NativeSelect, Textarea, TextInput } from '@mantine/core'
import type { Issue } from '@svc/client'
import { IconPlus, IconTrash } from '@tabler/icons-react'
import { useId, useState } from 'react'
import { ListField } from '../form/list-field.tsx'
import { Suggestions } from '../form/suggestions.tsx'
import { DateInput } from '../time/date-input.tsx'
import { ownZone } from '../time/zoned-time.ts'
import classes from './condition-builder.module.css'
import { type ConditionIssue, conditionFaults, refusedConditions } from './condition-check.ts'
import { ConditionText } from './condition-text.tsx'
import {
  asType,
  isoOf,
  localInput,
  numberIn,
  type ScalarType,
  scalarType,
  typedNumber,
  withOperator,
} from './condition-values.ts'
import { type ConditionNames, namesById, type Wording } from './condition-words.ts'
import {
  type AttributeCondition,
  type Condition,
  depthOf,
  foldable,
  isAttribute,
  isCondition,
  isGroup,
  maxDepth,
  type Operator,
  operators,
  type Path,
  partsOf,
  withNode,
} from './conditions.ts'
import { areNumbers, namesToSuggest, type SeenAttribute, valuesToSuggest } from './seen.ts'

interface ConditionBuilderProps {
  /** "Who", "Conditions". */
  label: string
  /** The field of the form, by which a summary of its faults finds it. Default: `conditions`. */
  name?: string
  condition: Condition
  onChange: (condition: Condition) => void
  /** Names of attributes in use, to choose from. Others can be typed. */
  attributes?: readonly string[]
  /** Attributes that visitors had lately, whose values can be chosen too. */
  seen?: readonly SeenAttribute[]
  audiences?: readonly { id: string; name: string }[]
  segments?: readonly { id: string; name: string }[]
  /** The fault of the form about the conditions. With it, each condition shows what it lacks. */
  error?: string | undefined
  /** The refusal of the service, in which paths begin with `conditions`. */
  refused?: readonly Issue[]
  /** The conditions of the sentence, if more than these conditions decide. */
  reads?: Condition
  /** How the sentence speaks, if the conditions are about something else than people. */
  wording?: Wording
}

interface Tools {
  change: (path: Path, node: Condition | undefined) => void
  audiences: readonly { id: string; name: string }[]
  segments: readonly { id: string; name: string }[]
  /** The id of the `<datalist>` of attributes. */
  listId: string
  seen: readonly SeenAttribute[]
  issues: readonly ConditionIssue[]
}

const fresh: AttributeCondition = { attribute: '', operator: 'in', value: [] }

/**
 * Who a rule or an audience is for. Groups go to 5 levels, the value is typed as its operator needs it, and the same
 * tree can be edited as JSON. The sentence below says what was built.
 */
export function ConditionBuilder(props: ConditionBuilderProps) {
  const {
    label,
    name = 'conditions',
    condition,
    onChange,
    attributes = [],
    seen = [],
    audiences = [],
    segments = [],
    error,
    refused = [],
  } = props
  const [isJson, setIsJson] = useState(false)
  const listId = useId()
  // What the service refused is no longer there while something is missing.
  const missing = error === undefined ? [] : conditionFaults(condition)
  const issues = error === undefined || missing.length > 0 ? missing : refusedConditions(refused, condition)
  // The outermost node is shown as a group, so that there is a place to add to.
  const tree: Condition = isGroup(condition) ? condition : { all: [condition] }
  const isWrapped = tree !== condition
  const tools: Tools = {
    change: (path, node) => onChange(withNode(tree, path, node)),
    audiences,
    segments,
    listId,
    seen,
    issues: isWrapped ? issues.map((issue) => ({ ...issue, path: ['all', 0, ...issue.path] })) : issues,
  }
  const names: ConditionNames = { audiences: namesById(audiences), segments: namesById(segments), ...props.wording }
  return (
    <fieldset className={classes.frame} aria-label={label} name={name}>
      <div className={classes.bar}>
        <span className={classes.legend}>{label}</span>
        <Button variant="subtle" size="compact-sm" aria-pressed={isJson} onClick={() => setIsJson(!isJson)}>
          JSON
        </Button>
      </div>
      {isJson ? (
        <JsonEditor condition={condition} onChange={onChange} issues={issues} />
      ) : (
        <>
          <Group group={tree as GroupNode} path={[]} tools={tools} />
          <Suggestions id={listId} values={namesToSuggest(seen, attributes)} />
        </>
      )}
      {error !== undefined && issues.length === 0 && (
        <div className={classes.fault} role="alert">
          {error}
        </div>
      )}
      <p className={classes.reads}>
        Reads: <ConditionText condition={props.reads ?? condition} names={names} />
      </p>
    </fieldset>
  )
}

type GroupNode = { all: Condition[] } | { any: Condition[] }

function Group({ group, path, tools }: { group: GroupNode; path: Path; tools: Tools }) {
  const mode = 'all' in group ? 'all' : 'any'
  const parts = partsOf(group)
  const add = (node: Condition) =>
    tools.change(path, mode === 'all' ? { all: [...parts, node] } : { any: [...parts, node] })
  const isNegated = path.at(-1) === 'not'
  const outer = isNegated ? path.slice(0, -1) : path
  const canGoDeeper = depthOf(path) + 1 < maxDepth
  // Before the first condition there is nothing to combine, and the sentence below says for whom it is.
  const hasMode = path.length > 0 || parts.length > 0 || mode === 'any'
  return (
    <fieldset className={classes.group} aria-label={path.length === 0 ? 'Conditions' : 'Group'}>
      {hasMode && (
        <div className={classes.head}>
          {path.length > 0 && (
            <NativeSelect
              aria-label="The group"
              size="xs"
              value={isNegated ? 'not' : 'is'}
              data={[
                { value: 'is', label: 'holds' },
                { value: 'not', label: 'does not hold' },
              ]}
              onChange={(event) => tools.change(outer, event.currentTarget.value === 'not' ? { not: group } : group)}
            />
          )}
          <NativeSelect
            aria-label="How many conditions must hold"
            size="xs"
            value={mode}
            data={[
              { value: 'all', label: 'all of' },
              { value: 'any', label: 'any of' },
            ]}
            onChange={(event) =>
              tools.change(path, event.currentTarget.value === 'all' ? { all: parts } : { any: parts })
            }
          />
          {parts.length === 0 && <span className={classes.hint}>{mode === 'all' ? 'everyone' : 'nobody'}</span>}
          {path.length > 0 && (
            <ActionIcon
              className={classes.remove ?? ''}
              variant="subtle"
              color="gray"
              aria-label="Remove the group"
              onClick={() => tools.change(outer, undefined)}
            >
              <IconTrash size={16} aria-hidden />
            </ActionIcon>
          )}
        </div>
      )}
      <Faults path={path} tools={tools} />
      {parts.map((part, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: conditions have no identity besides their place
        <Node key={index} node={part} path={[...path, mode, index]} tools={tools} />
      ))}
      <div className={classes.adds}>
        <Add label="Condition" onAdd={() => add(fresh)} />
        {tools.audiences.length > 0 && <Add label="Audience" onAdd={() => add({ audience: tools.audiences[0]!.id })} />}
        {tools.segments.length > 0 && <Add label="Segment" onAdd={() => add({ segment: tools.segments[0]!.id })} />}
        {canGoDeeper && <Add label="Group" onAdd={() => add({ any: [fresh] })} />}
      </div>
    </fieldset>
  )
}

function Add({ label, onAdd }: { label: string; onAdd: () => void }) {
  return (
    <Button variant="subtle" size="compact-sm" leftSection={<IconPlus size={14} aria-hidden />} onClick={onAdd}>
      {label}
    </Button>
  )
}

function Node({ node, path, tools }: { node: Condition; path: Path; tools: Tools }) {
  if (isGroup(node)) return <Group group={node} path={path} tools={tools} />
  if (isAttribute(node)) return <Attribute condition={node} path={path} tools={tools} />
  if ('not' in node) {
    const inner = node.not
    if ('audience' in inner || 'segment' in inner) return <Reference node={inner} isNegated path={path} tools={tools} />
    if (isGroup(inner)) return <Group group={inner} path={[...path, 'not']} tools={tools} />
    // A negated condition is shown as a group of one, which means the same.
    return <Group group={{ all: [inner] }} path={[...path, 'not']} tools={wrapped(tools, [...path, 'not'])} />
  }
  return <Reference node={node} isNegated={false} path={path} tools={tools} />
}

/** Tools for a node that is shown inside a group which the tree does not have. */
function wrapped(tools: Tools, at: Path): Tools {
  const isBelow = (path: Path) => at.every((part, index) => path[index] === part)
  const shownPath = [...at, 'all', 0]
  return {
    ...tools,
    change: (path, node) => {
      if (path.length < shownPath.length || !isBelow(path)) return tools.change(path, node)
      const below = path.slice(shownPath.length)
      // Without the node, its negation has no meaning either.
      if (below.length === 0 && node === undefined) return tools.change(at.slice(0, -1), undefined)
      tools.change([...at, ...below], node)
    },
    issues: tools.issues.map((issue) =>
      isBelow(issue.path) ? { ...issue, path: [...shownPath, ...issue.path.slice(at.length)] } : issue,
    ),
  }
}

interface ReferenceProps {
  node: { audience: string } | { segment: string }
  isNegated: boolean
  path: Path
  tools: Tools
}

function Reference({ node, isNegated, path, tools }: ReferenceProps) {
  const kind = 'audience' in node ? 'audience' : 'segment'
  const id = 'audience' in node ? node.audience : node.segment
  const known = kind === 'audience' ? tools.audiences : tools.segments
  const options = known.some((each) => each.id === id) ? known : [{ id, name: `Unknown ${kind}` }, ...known]
  const change = (next: string, negated: boolean) => {
    const inner = kind === 'audience' ? { audience: next } : { segment: next }
    tools.change(path, negated ? { not: inner } : inner)
  }
  return (
    <div className={classes.row} data-reference>
      <NativeSelect
        aria-label={`In the ${kind} or not`}
        value={isNegated ? 'not' : 'in'}
        data={[
          { value: 'in', label: `in ${kind}` },
          { value: 'not', label: `not in ${kind}` },
        ]}
        onChange={(event) => change(id, event.currentTarget.value === 'not')}
      />
      <NativeSelect
        aria-label={kind === 'audience' ? 'Audience' : 'Segment'}
        value={id}
        data={options.map((each) => ({ value: each.id, label: each.name }))}
        onChange={(event) => change(event.currentTarget.value, isNegated)}
      />
      <Remove what={`the ${kind}`} onRemove={() => tools.change(path, undefined)} />
      <Faults path={path} tools={tools} isDeep />
    </div>
  )
}

function Remove({ what, onRemove }: { what: string; onRemove: () => void }) {
  return (
    <ActionIcon
      className={classes.drop ?? ''}
      variant="subtle"
      color="gray"
      size="lg"
      aria-label={`Remove ${what}`}
      onClick={onRemove}
    >
      <IconTrash size={16} aria-hidden />
    </ActionIcon>
  )
}

const groups = [...new Set(Object.values(operators).map(({ group }) => group))].map((group) => ({
  group,
  items: Object.entries(operators)
    .filter(([, each]) => each.group === group)
    .map(([value, { words }]) => ({ value, label: words })),
}))

function Attribute({ condition, path, tools }: { condition: AttributeCondition; path: Path; tools: Tools }) {
  const { attribute, operator, caseSensitive } = condition
  const set = (next: Partial<AttributeCondition>) => tools.change(path, { ...condition, ...next })
  const isRefused = (field: string) => faultsAt(tools.issues, [...path, field], true).length > 0
  const listId = useId()
  const suggested = valuesToSuggest(tools.seen, attribute)
  return (
    <div className={classes.row}>
      <TextInput
        aria-label="Attribute"
        placeholder="Attribute"
        list={tools.listId}
        value={attribute}
        error={isRefused('attribute')}
        autoComplete="off"
        spellCheck={false}
        onChange={(event) => set({ attribute: event.currentTarget.value })}
      />
      <NativeSelect
        aria-label="Operator"
        value={operator}
        data={groups}
        error={isRefused('operator')}
        onChange={(event) => tools.change(path, withOperator(condition, event.currentTarget.value as Operator))}
      />
      <div className={classes.value}>
        <Value {...{ condition, suggested, listId, set }} isRefused={isRefused('value')} />
        <Suggestions id={listId} values={suggested} />
        {foldable.has(operator) && hasText(condition.value) && (
          <label className={classes.case}>
            <input
              type="checkbox"
              checked={caseSensitive === false}
              onChange={(event) => {
                const { caseSensitive: _before, ...rest } = condition
                tools.change(path, event.currentTarget.checked ? { ...rest, caseSensitive: false } : rest)
              }}
            />
            in any case
          </label>
        )}
      </div>
      <Remove
        what={attribute === '' ? 'the condition' : `the condition on ${attribute}`}
        onRemove={() => tools.change(path, undefined)}
      />
      <Faults path={path} tools={tools} isDeep />
    </div>
  )
}

const hasText = (value: AttributeCondition['value']): boolean =>
  [value ?? ''].flat().some((each) => typeof each === 'string')

interface ValueProps {
  condition: AttributeCondition
  /** Values that visitors have. */
  suggested: readonly (string | number)[]
  /** The id of their `<datalist>`. */
  listId: string
  isRefused: boolean
  set: (next: Partial<AttributeCondition>) => void
}

function Value({ condition: { operator, value }, ...field }: ValueProps) {
  const { listId, isRefused, set } = field
  const { kind } = operators[operator]
  if (kind === 'none') return null
  if (kind === 'list') return <ListValue value={value} {...field} />
  if (kind === 'networks')
    return (
      <ListField
        label="Networks"
        placeholder="10.0.0.0/8"
        isInvalid={isRefused}
        values={[value ?? []].flat().map(String)}
        onChange={(values) => set({ value: values })}
      />
    )
  if (kind === 'scalar') return <ScalarValue value={value} {...field} />
  if (kind === 'date')
    return (
      <>
        <DateInput
          type="datetime-local"
          aria-label="Date and time"
          error={isRefused}
          value={localInput(value)}
          onChange={(event) => set({ value: isoOf(event.currentTarget.value) })}
        />
        <span className={classes.hint}>{ownZone()}</span>
      </>
    )
  const isNumber = kind === 'number'
  return (
    <TextInput
      aria-label="Value"
      inputMode={isNumber ? 'decimal' : 'text'}
      placeholder={{ number: '18', version: '4.2.0', pattern: '^beta-', text: 'Value' }[kind]}
      error={isRefused}
      {...(kind !== 'pattern' && { list: listId })}
      value={String(value ?? '')}
      autoComplete="off"
      spellCheck={false}
      onChange={(event) =>
        set({ value: isNumber ? typedNumber(event.currentTarget.value) : event.currentTarget.value })
      }
      onBlur={(event) => isNumber && set({ value: numberIn(event.currentTarget.value) })}
    />
  )
}

const types: { value: ScalarType; label: string }[] = [
  { value: 'text', label: 'text' },
  { value: 'number', label: 'number' },
  { value: 'yes-no', label: 'true/false' },
]

type OneValueProps = { value: AttributeCondition['value'] | undefined } & Omit<ValueProps, 'condition'>

function ScalarValue({ value = '', suggested, listId, isRefused, set }: OneValueProps) {
  const one = Array.isArray(value) ? (value[0] ?? '') : value
  const [chosen, setType] = useState<ScalarType>()
  const type = chosen ?? (one === '' && areNumbers(suggested) ? 'number' : scalarType(one))
  const change = (next: ScalarType) => {
    setType(next)
    set({ value: asType(one, next) })
  }
  return (
    <div className={classes.scalar}>
      {type === 'yes-no' ? (
        <NativeSelect
          aria-label="Value"
          value={String(one)}
          data={['true', 'false']}
          error={isRefused}
          onChange={(event) => set({ value: event.currentTarget.value === 'true' })}
        />
      ) : (
        <TextInput
          aria-label="Value"
          placeholder="Value"
          inputMode={type === 'number' ? 'decimal' : 'text'}
          error={isRefused}
          list={listId}
          value={String(one)}
          autoComplete="off"
          spellCheck={false}
          onChange={(event) => {
            setType(type)
            set({ value: type === 'number' ? typedNumber(event.currentTarget.value) : event.currentTarget.value })
          }}
          onBlur={(event) => type === 'number' && set({ value: numberIn(event.currentTarget.value) })}
        />
      )}
      <NativeSelect
        aria-label="Type of the value"
        value={type}
        data={types}
        onChange={(event) => change(event.currentTarget.value as ScalarType)}
      />
    </div>
  )
}

function ListValue({ value, suggested, listId, isRefused, set }: OneValueProps) {
  const values = [value ?? []].flat()
  const [chosen, setType] = useState<ScalarType>()
  const type = chosen ?? (areNumbers(values.length > 0 ? values : suggested) ? 'number' : 'text')
  const typed = (texts: readonly string[], as: ScalarType) =>
    // Entries that were there keep their type, true and false among them.
    texts.map((text) => values.find((each) => String(each) === text && as === type) ?? asType(text, as))
  return (
    <div className={classes.scalar}>
      <ListField
        label="Values"
        placeholder="Type or paste values"
        list={listId}
        isInvalid={isRefused}
        values={values.map(String)}
        onChange={(texts) => {
          setType(type)
          set({ value: typed(texts, type) })
        }}
      />
      <NativeSelect
        aria-label="Type of the values"
        value={type}
        data={types.slice(0, 2)}
        onChange={(event) => {
          const next = event.currentTarget.value as ScalarType
          setType(next)
          set({ value: typed(values.map(String), next) })
        }}
      />
    </div>
  )
}

function faultsAt(issues: readonly ConditionIssue[], path: Path, isDeep: boolean): string[] {
  return issues
    .filter((issue) => (isDeep ? issue.path.length >= path.length : issue.path.length === path.length))
    .filter((issue) => path.every((part, index) => String(issue.path[index]) === String(part)))
    .map(({ message }) => message)
}

function Faults({ path, tools, isDeep = false }: { path: Path; tools: Tools; isDeep?: boolean }) {
  const messages = faultsAt(tools.issues, path, isDeep)
  if (messages.length === 0) return null
  return (
    <div className={classes.fault} role="alert">
      {messages.join(' ')}
    </div>
  )
}

function JsonEditor({
  condition,
  onChange,
  issues,
}: Pick<ConditionBuilderProps, 'condition' | 'onChange'> & { issues: readonly ConditionIssue[] }) {
  const [text, setText] = useState(() => JSON.stringify(condition, null, 2))
  const fault = faultOf(text)
  return (
    <Textarea
      className={classes.json ?? ''}
      aria-label="Conditions as JSON"
      rows={10}
      value={text}
      spellCheck={false}
      error={fault ?? (issues.length > 0 ? issues.map(({ message }) => message).join(' ') : undefined)}
      onChange={(event) => {
        setText(event.currentTarget.value)
        if (!faultOf(event.currentTarget.value)) onChange(JSON.parse(event.currentTarget.value) as Condition)
      }}
    />
  )
}

function faultOf(text: string): string | undefined {
  try {
    return isCondition(JSON.parse(text)) ? undefined : 'This is not a tree of conditions. It is not applied.'
  } catch (error) {
    return `This is not JSON yet: ${(error as Error).message}. It is not applied.`
  }
}
