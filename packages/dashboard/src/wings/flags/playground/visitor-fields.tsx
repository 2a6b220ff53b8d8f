import { Button, JsonInput, NativeSelect, TextInput } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { useId, useState } from 'react'
import { usePlace } from '../../../shell/place.ts'
import { useSession } from '../../../shell/session.ts'
import { useSettled } from '../../../ui/form/settled.ts'
import { Suggestions } from '../../../ui/form/suggestions.tsx'
import { announce } from '../../../ui/notice/announce.tsx'
import classes from './playground.module.css'
import { keepVisitors, savedVisitors, withVisitor } from './saved-visitors.ts'
import { type Context, contextIn, contextOf, formOf, isOffered, kindOf, type VisitorForm } from './visitor.ts'

interface VisitorFieldsProps {
  context: Context
  /** Attributes that rules and audiences of the project read. */
  attributes: readonly string[]
  onChange: (context: Context) => void
}

/** The visitor to try: by fields or as JSON, new or saved in this browser. */
export function VisitorFields({ context, attributes, onChange }: VisitorFieldsProps) {
  const [json, setJson] = useSettled(JSON.stringify(context), (text) => onChange(JSON.parse(text)))
  const [shown, setShown] = useState(json)
  const [form, setForm] = useState(() => formOf(context, attributes))
  const [typed, setTyped] = useState<string>()
  if (json !== shown) {
    setShown(json)
    setForm(formOf(JSON.parse(json), attributes))
  }
  const change = (next: VisitorForm) => {
    const text = JSON.stringify(contextOf(next))
    setForm(next)
    setShown(text)
    setJson(text)
  }
  const typeJson = (text: string) => {
    setTyped(text)
    const given = contextIn(text)
    if (given) setJson(JSON.stringify(given))
  }
  const take = (given: Context) => {
    setTyped(typed === undefined ? undefined : JSON.stringify(given, null, 2))
    setJson(JSON.stringify(given))
  }
  const isJson = typed !== undefined
  return (
    <>
      {isJson ? (
        <JsonInput
          label="Visitor as JSON"
          autosize
          minRows={4}
          value={typed}
          onChange={typeJson}
          error={contextIn(typed) ? undefined : 'Type a JSON object, such as {"targetingKey": "u-17"}.'}
        />
      ) : (
        <Rows form={form} attributes={attributes} onChange={change} />
      )}
      <div className={classes.actions}>
        {!isJson && (
          <Button
            variant="default"
            leftSection={<IconPlus size={16} aria-hidden />}
            onClick={() => setForm({ ...form, rows: [...form.rows, { name: '', text: '' }] })}
          >
            Add an attribute
          </Button>
        )}
        <Button
          variant="default"
          onClick={() => setTyped(isJson ? undefined : JSON.stringify(JSON.parse(json), null, 2))}
        >
          {isJson ? 'Show fields' : 'Show JSON'}
        </Button>
        <Saved context={JSON.parse(json)} onTake={take} />
      </div>
    </>
  )
}

interface RowsProps {
  form: VisitorForm
  attributes: readonly string[]
  onChange: (form: VisitorForm) => void
}

function Rows({ form, attributes, onChange }: RowsProps) {
  const list = useId()
  // A row keeps its kind while it is typed in: a known attribute has a label, an added one a field for its name.
  const known = new Set(attributes)
  const set = (at: number, part: Partial<VisitorForm['rows'][number]>) =>
    onChange({ ...form, rows: form.rows.map((row, index) => (index === at ? { ...row, ...part } : row)) })
  return (
    <div className={classes.fields}>
      <TextInput
        label="Visitor id"
        description="The targeting key"
        value={form.targetingKey}
        autoComplete="off"
        spellCheck={false}
        onChange={(event) => onChange({ ...form, targetingKey: event.currentTarget.value })}
      />
      {form.rows.map(({ name, text }, at) =>
        known.has(name) && form.rows.findIndex((row) => row.name === name) === at ? (
          <TextInput
            // biome-ignore lint/suspicious/noArrayIndexKey: rows are only added at the end, and keep their place
            key={at}
            label={name}
            description={kindOf(text) ?? 'Attribute'}
            value={text}
            autoComplete="off"
            spellCheck={false}
            onChange={(event) => set(at, { text: event.currentTarget.value })}
          />
        ) : (
          // biome-ignore lint/suspicious/noArrayIndexKey: as above
          <div key={at} className={classes.pair}>
            <TextInput
              label="Attribute"
              description="Its name"
              value={name}
              list={list}
              autoComplete="off"
              spellCheck={false}
              onChange={(event) => set(at, { name: event.currentTarget.value })}
            />
            <TextInput
              label="Value"
              description={kindOf(text) ?? 'A text'}
              value={text}
              autoComplete="off"
              spellCheck={false}
              onChange={(event) => set(at, { text: event.currentTarget.value })}
            />
          </div>
        ),
      )}
      <Suggestions id={list} values={attributes.filter(isOffered)} />
    </div>
  )
}

function Saved({ context, onTake }: { context: Context; onTake: (context: Context) => void }) {
  const { project } = usePlace()
  const { user } = useSession()
  const [visitors, setVisitors] = useState(() => savedVisitors(user.id, project.id))
  const keep = (next: typeof visitors, message: string) => {
    if (!keepVisitors(user.id, project.id, next)) return announce('This browser has no room for another visitor.')
    setVisitors(next)
    announce(message)
  }
  const chosen = visitors.find((saved) => JSON.stringify(saved.context) === JSON.stringify(context))
  const name = nameOf(context)
  return (
    <>
      {visitors.length > 0 && (
        <NativeSelect
          aria-label="Saved visitors"
          value={chosen?.name ?? ''}
          onChange={({ currentTarget: { value } }) => {
            const saved = visitors.find((each) => each.name === value)
            if (saved) onTake(saved.context)
          }}
          data={[{ value: '', label: 'Saved visitors' }, ...visitors.map((saved) => saved.name)]}
        />
      )}
      {chosen ? (
        <Button
          variant="default"
          onClick={() =>
            keep(
              visitors.filter((each) => each !== chosen),
              `${chosen.name} is no longer saved.`,
            )
          }
        >
          Forget this visitor
        </Button>
      ) : (
        name !== '' && (
          <Button
            variant="default"
            onClick={() => keep(withVisitor(visitors, { name, context }), `${name} is saved in this browser.`)}
          >
            Save visitor
          </Button>
        )
      )}
    </>
  )
}

/** "u-17, NL, pro": enough to find the visitor again. */
function nameOf({ targetingKey, ...attributes }: Context): string {
  const values = [targetingKey, ...Object.values(attributes)].filter((value) => value !== undefined)
  return values
    .slice(0, 4)
    .map((value) => (typeof value === 'string' ? value : JSON.stringify(value)))
    .join(', ')
    .slice(0, 80)
}
