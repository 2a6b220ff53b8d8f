import { ActionIcon, Button, NativeSelect, Text, TextInput, Title } from '@mantine/core'
import type { Issue } from '@svc/client'
import { IconPlus, IconTrash } from '@tabler/icons-react'
import { useState } from 'react'
import { ConditionBuilder } from '../../../../ui/conditions/condition-builder.tsx'
import { addressParts, pageWording, parameterOf, partOf } from '../../../../ui/conditions/page-words.ts'
import {
  attributeOf,
  conditionsInput,
  conditionsOf,
  keyFor,
  maxPages,
  nameInput,
  newPage,
  newRow,
  type PageRow,
  type PageValues,
  pageAttributes,
  rowInput,
  type SimplePage,
  simpleOf,
  urlInput,
  type Verb,
  verbs,
} from './pages.ts'
import classes from './targeting.module.css'

interface PagesFieldProps {
  pages: readonly PageValues[]
  /** Keys of pages that are saved: changes name a page by its key, so it stays. */
  savedKeys: readonly string[]
  /** `input` is the name of the input that was changed. */
  onChange: (pages: PageValues[], input?: string) => void
  errorOf: (input: string) => string | undefined
  /** What is wrong with the list. */
  error: string | undefined
  issues: readonly Issue[]
}

/** The pages of a web experiment, each with a name, an address to open, and the conditions that make an address a page. */
export function PagesField(props: PagesFieldProps) {
  const { pages, savedKeys, onChange, error } = props
  const change = (at: number, next: Partial<PageValues>, input?: string) =>
    onChange(
      pages.map((page, index) => (index === at ? { ...page, ...next } : page)),
      input,
    )
  const rename = (at: number, name: string) => {
    const { key } = pages[at]!
    const others = pages.toSpliced(at, 1)
    change(at, { name, ...(!savedKeys.includes(key) && { key: keyFor(name, others) }) }, nameInput(key))
  }
  return (
    <fieldset className={classes.pages} name="pages" aria-label="Pages">
      {error && (
        <Text size="xs" c="var(--mantine-color-error)" role="alert">
          {error}
        </Text>
      )}
      {pages.length === 0 && (
        <Text size="sm" c="dimmed">
          There is no page yet, so nobody takes part.
        </Text>
      )}
      {pages.map((page, at) => (
        <PageFieldset
          // A key follows the name while a page is new.
          // biome-ignore lint/suspicious/noArrayIndexKey: see above
          key={at}
          {...props}
          page={page}
          at={at}
          change={(next, input) => change(at, next, input)}
          rename={(name) => rename(at, name)}
          remove={() => onChange(pages.toSpliced(at, 1))}
        />
      ))}
      {pages.length < maxPages && (
        <div>
          <Button
            variant="default"
            size="xs"
            leftSection={<IconPlus size={14} aria-hidden />}
            onClick={() => onChange([...pages, newPage(pages)])}
          >
            Add page
          </Button>
        </div>
      )}
    </fieldset>
  )
}

interface PageFieldsetProps extends Pick<PagesFieldProps, 'errorOf' | 'issues'> {
  page: PageValues
  at: number
  change: (next: Partial<PageValues>, input?: string) => void
  rename: (name: string) => void
  remove: () => void
}

function PageFieldset({ page, at, change, rename, remove, errorOf, issues }: PageFieldsetProps) {
  const { key, name, conditions } = page
  const simple = simpleOf(conditions)
  // The builder stays open while a person edits in it, even if the lines could show the result.
  const [isMore, setIsMore] = useState(simple === undefined)
  const isSimple = simple !== undefined && !isMore
  const title = name.trim() || 'Page without a name'
  return (
    <fieldset className={classes.page} aria-label={title}>
      <div className={classes.head}>
        <Title order={3}>{title}</Title>
        <ActionIcon variant="subtle" color="gray" size="lg" aria-label={`Remove the page ${title}`} onClick={remove}>
          <IconTrash size={16} aria-hidden />
        </ActionIcon>
      </div>
      <NameAndAddress page={page} change={change} rename={rename} errorOf={errorOf} />
      {isSimple ? (
        <SimpleConditions
          page={page}
          simple={simple}
          change={(next, row) =>
            change({ conditions: conditionsOf(next) }, row === undefined ? undefined : rowInput(key, row))
          }
          errorOf={errorOf}
        />
      ) : (
        <ConditionBuilder
          label="An address is this page if"
          name={conditionsInput(key)}
          condition={conditions}
          onChange={(next) => change({ conditions: next }, conditionsInput(key))}
          attributes={pageAttributes}
          wording={pageWording}
          error={
            errorOf(conditionsInput(key)) ?? simple?.rows.map((_row, row) => errorOf(rowInput(key, row))).find(Boolean)
          }
          refused={refusedOf(issues, at)}
        />
      )}
      {simple && (
        <div>
          <Button variant="subtle" size="compact-sm" aria-expanded={isMore} onClick={() => setIsMore(!isMore)}>
            {isMore ? 'Fewer conditions' : 'More conditions'}
          </Button>
        </div>
      )}
    </fieldset>
  )
}

type NameAndAddressProps = Pick<PageFieldsetProps, 'page' | 'change' | 'rename' | 'errorOf'>

function NameAndAddress({ page: { key, name, url }, change, rename, errorOf }: NameAndAddressProps) {
  return (
    <div className={classes.two}>
      <TextInput
        name={nameInput(key)}
        label="Name"
        value={name}
        error={errorOf(nameInput(key))}
        onChange={({ currentTarget: { value } }) => rename(value)}
        autoComplete="off"
      />
      <TextInput
        name={urlInput(key)}
        label="Address to open"
        description="For the editor and previews. It decides nothing."
        inputWrapperOrder={['label', 'input', 'description', 'error']}
        placeholder="https://shop.example/pricing"
        value={url}
        error={errorOf(urlInput(key))}
        onChange={({ currentTarget: { value } }) => change({ url: value }, urlInput(key))}
        inputMode="url"
        autoComplete="off"
        spellCheck={false}
      />
    </div>
  )
}

/** The issues of one page, with paths as the builder knows them. */
const refusedOf = (issues: readonly Issue[], at: number): Issue[] =>
  issues
    .filter(({ path }) => path[0] === 'pages' && path[1] === at && path[2] === 'conditions')
    .map(({ path, message }) => ({
      path: path.slice(2),
      message: message.replace(/^pages\[\d+\]\./, ''),
    }))

interface SimpleConditionsProps {
  page: PageValues
  simple: SimplePage
  change: (next: SimplePage, row?: number) => void
  errorOf: (input: string) => string | undefined
}

/** Lines such as “Path starts with /pricing”. */
function SimpleConditions({ page: { key }, simple, change, errorOf }: SimpleConditionsProps) {
  const { mode, rows } = simple
  const set = (at: number, row: PageRow) => change({ mode, rows: rows.with(at, row) }, at)
  return (
    <div className={classes.lines}>
      <div className={classes.mode}>
        <Text size="sm" fw={600} component="span">
          An address is this page if
        </Text>
        {rows.length > 1 && (
          <NativeSelect
            size="xs"
            aria-label="How many lines must hold"
            value={mode}
            data={[
              { value: 'all', label: 'all of these hold' },
              { value: 'any', label: 'any of these holds' },
            ]}
            onChange={({ currentTarget: { value } }) => change({ mode: value as SimplePage['mode'], rows })}
          />
        )}
      </div>
      {rows.length === 0 && (
        <Text size="sm" c="dimmed">
          Without a line, every address with the tag is this page.
        </Text>
      )}
      {rows.map((row, at) => (
        <Line
          // biome-ignore lint/suspicious/noArrayIndexKey: lines have no identity besides their place
          key={at}
          row={row}
          name={rowInput(key, at)}
          error={errorOf(rowInput(key, at))}
          onChange={(next) => set(at, next)}
          onRemove={() => change({ mode, rows: rows.toSpliced(at, 1) })}
        />
      ))}
      <div>
        <Button
          variant="subtle"
          size="compact-sm"
          leftSection={<IconPlus size={14} aria-hidden />}
          onClick={() => change({ mode, rows: [...rows, newRow] })}
        >
          Line
        </Button>
      </div>
    </div>
  )
}

interface LineProps {
  row: PageRow
  name: string
  error: string | undefined
  onChange: (row: PageRow) => void
  onRemove: () => void
}

function Line({ row, name, error, onChange, onRemove }: LineProps) {
  const part = partOf(row.attribute)!
  const isParameter = part.attribute === 'page.query'
  return (
    <div className={classes.line}>
      <div className={classes.part}>
        <NativeSelect
          aria-label="Part of the address"
          value={part.attribute}
          data={addressParts.map(({ attribute, label }) => ({ value: attribute, label }))}
          onChange={({ currentTarget: { value } }) => onChange({ ...row, attribute: attributeOf(value) })}
        />
        {isParameter && (
          <TextInput
            aria-label="Name of the parameter"
            placeholder="plan"
            value={parameterOf(row.attribute)}
            onChange={({ currentTarget: { value } }) =>
              onChange({ ...row, attribute: attributeOf(part.attribute, value.trim()) })
            }
            autoComplete="off"
            spellCheck={false}
          />
        )}
      </div>
      <NativeSelect
        aria-label="How it is compared"
        value={row.operator}
        data={Object.entries(verbs).map(([value, label]) => ({ value, label }))}
        onChange={({ currentTarget: { value } }) => onChange({ ...row, operator: value as Verb })}
      />
      <TextInput
        name={name}
        aria-label="Value"
        placeholder={part.example}
        value={row.value}
        error={error}
        onChange={({ currentTarget: { value } }) => onChange({ ...row, value })}
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
      />
      <ActionIcon
        className={classes.drop ?? ''}
        variant="subtle"
        color="gray"
        size="lg"
        aria-label={`Remove the line on ${part.label.toLowerCase()}`}
        onClick={onRemove}
      >
        <IconTrash size={16} aria-hidden />
      </ActionIcon>
    </div>
  )
}
