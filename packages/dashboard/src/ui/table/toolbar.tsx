import { ActionIcon, Button, CloseButton, Popover, TextInput } from '@mantine/core'
import {
  IconArrowDown,
  IconArrowUp,
  IconChevronLeft,
  IconChevronRight,
  IconColumns3,
  IconFilterPlus,
  IconSearch,
  IconX,
} from '@tabler/icons-react'
import {
  type KeyboardEvent,
  type ReactElement,
  type ReactNode,
  type RefObject,
  useEffect,
  useEffectEvent,
  useState,
} from 'react'
import { type Chosen, chips, type Filter, matching, toggled, without, withoutLast } from './filters.ts'
import classes from './toolbar.module.css'

/** From this many options on, they can be searched. */
const searchedFrom = 9

export interface ToolbarProps {
  /** Left out where only filters make sense. */
  search?: {
    text: string
    onSearch: (text: string) => void
    /** "Filter by name, key or tag". Also its label. */
    label: string
    /** The page focuses it on the key `/`. */
    ref?: RefObject<HTMLInputElement | null>
  }
  filters?: readonly Filter[]
  /** The chosen values by filter, as the address has them. */
  chosen?: Chosen
  onChoose?: (chosen: Chosen) => void
  sort?: {
    options: readonly { value: string; label: string }[]
    by: string
    isDescending: boolean
    onSort: (by: string, isDescending: boolean) => void
  }
  columns?: {
    options: readonly { value: string; label: string }[]
    shown: readonly string[]
    /** How many fit. */
    max: number
    onShow: (shown: readonly string[]) => void
  }
  /** How many things are listed: "12 of 1,284 flags". */
  count?: string
  /** More controls at the end, such as pinned views. */
  children?: ReactNode
}

/** What Enter and ↓ go to from the search: a row that takes the focus itself, or what a row offers first. */
const firstRow = 'main [role="row"][data-at="0"], main tbody a[href], main tbody button'

/** Search, filters, order and columns of a list. Its state is a value of the page, which keeps it in the address. */
export function Toolbar({ search, filters = [], chosen = {}, onChoose, sort, columns, count, children }: ToolbarProps) {
  const choose = (next: Chosen) => onChoose?.(next)
  const onKey = (event: KeyboardEvent<HTMLInputElement>) => {
    if (event.key === 'Backspace' && search?.text === '') choose(withoutLast(chosen, filters))
    if (event.key === 'Escape' && search?.text === '') event.currentTarget.blur()
    if (event.key === 'Escape' && search && search.text !== '') search.onSearch('')
    if (event.key !== 'Enter' && event.key !== 'ArrowDown') return
    event.preventDefault()
    document.querySelector<HTMLElement>(firstRow)?.focus()
  }
  const shown = chips(chosen, filters)
  return (
    <search className={classes.bar}>
      {search && (
        <TextInput
          {...(search.ref && { ref: search.ref })}
          className={classes.search ?? ''}
          aria-label={search.label}
          placeholder={search.label}
          leftSection={<IconSearch size={16} aria-hidden />}
          rightSection={
            search.text !== '' && <CloseButton size="sm" aria-label="Clear" onClick={() => search.onSearch('')} />
          }
          value={search.text}
          autoComplete="off"
          spellCheck={false}
          onChange={(event) => search.onSearch(event.currentTarget.value)}
          onKeyDown={onKey}
        />
      )}
      {shown.map(({ filter, words }) => (
        <Chip key={filter.key} filter={filter} words={words} chosen={chosen} choose={choose} />
      ))}
      {filters.length > 0 && <AddFilter filters={filters} chosen={chosen} choose={choose} />}
      {shown.length > 1 && (
        <Button variant="subtle" size="compact-sm" onClick={() => choose({})}>
          Clear filters
        </Button>
      )}
      <div className={classes.end}>
        {count !== undefined && (
          <span className={classes.count} role="status">
            {count}
          </span>
        )}
        {sort && <Sort {...sort} />}
        {columns && <Columns {...columns} />}
        {children}
      </div>
    </search>
  )
}

interface FilterProps {
  chosen: Chosen
  choose: (chosen: Chosen) => void
}

function Chip({ filter, words, chosen, choose }: FilterProps & { filter: Filter; words: string }) {
  const [isOpen, setIsOpen] = useState(false)
  return (
    <span className={classes.chip}>
      <Panel
        isOpen={isOpen}
        setIsOpen={setIsOpen}
        label={filter.label}
        target={
          <button type="button" onClick={() => setIsOpen(!isOpen)}>
            <span className={classes.words}>
              {filter.label}: {words}
            </span>
          </button>
        }
      >
        <Options filter={filter} chosen={chosen} choose={choose} />
      </Panel>
      <button
        type="button"
        aria-label={`Remove the filter ${filter.label}: ${words}`}
        onClick={() => choose(without(chosen, filter.key))}
      >
        <IconX size={14} aria-hidden />
      </button>
    </span>
  )
}

function AddFilter({ filters, chosen, choose }: FilterProps & { filters: readonly Filter[] }) {
  const [isOpen, setIsOpen] = useState(false)
  const [key, setKey] = useState<string>()
  const filter = filters.length === 1 ? filters[0] : filters.find((each) => each.key === key)
  const open = (next: boolean) => {
    setIsOpen(next)
    setKey(undefined)
  }
  return (
    <Panel
      isOpen={isOpen}
      setIsOpen={open}
      label="Filter"
      target={
        <Button variant="default" leftSection={<IconFilterPlus size={16} aria-hidden />} onClick={() => open(!isOpen)}>
          Filter
        </Button>
      }
    >
      {filter ? (
        <>
          {filters.length > 1 && (
            <div className={classes.heading}>
              <ActionIcon variant="subtle" color="gray" aria-label="All filters" onClick={() => setKey(undefined)}>
                <IconChevronLeft size={16} aria-hidden />
              </ActionIcon>
              {filter.label}
            </div>
          )}
          <Options filter={filter} chosen={chosen} choose={choose} />
        </>
      ) : (
        filters.map(({ key: each, label }) => (
          <button key={each} type="button" className={classes.option} onClick={() => setKey(each)}>
            {label}
            <IconChevronRight className={classes.more} size={16} aria-hidden />
          </button>
        ))
      )}
    </Panel>
  )
}

function Options({ filter, chosen, choose }: FilterProps & { filter: Filter }) {
  const [typed, setTyped] = useState('')
  const { text, onText } = filter.search ?? { text: typed, onText: setTyped }
  const opened = useEffectEvent(() => filter.search?.onOpen())
  useEffect(() => opened(), [])
  const found = filter.search ? filter.options : matching(filter.options, text)
  return (
    <>
      {(filter.search || filter.options.length >= searchedFrom) && (
        <TextInput
          aria-label={`Search in ${filter.label}`}
          placeholder="Search"
          value={text}
          data-autofocus
          onChange={(event) => onText(event.currentTarget.value)}
        />
      )}
      <fieldset className={classes.options} aria-label={filter.label}>
        {found.map(({ value, label, count }) => (
          <label key={value} className={classes.option}>
            <input
              type="checkbox"
              checked={chosen[filter.key]?.includes(value) ?? false}
              onChange={() => choose(toggled(chosen, filter, value))}
            />
            {label}
            {count !== undefined && <span className={classes.of}>{count.toLocaleString('en')}</span>}
          </label>
        ))}
        {found.length === 0 && !filter.note && <span className={classes.count}>Nothing matches.</span>}
        {filter.note && <span className={classes.count}>{filter.note}</span>}
      </fieldset>
    </>
  )
}

function Sort({ options, by, isDescending, onSort }: NonNullable<ToolbarProps['sort']>) {
  const [isOpen, setIsOpen] = useState(false)
  const chosen = options.find(({ value }) => value === by)
  const Arrow = isDescending ? IconArrowDown : IconArrowUp
  return (
    <Panel
      isOpen={isOpen}
      setIsOpen={setIsOpen}
      label="Order"
      target={
        <Button
          variant="default"
          leftSection={<Arrow size={16} aria-hidden />}
          aria-label={`Order: ${chosen?.label ?? 'none'}, ${isDescending ? 'descending' : 'ascending'}`}
          onClick={() => setIsOpen(!isOpen)}
        >
          {chosen?.label ?? 'Order'}
        </Button>
      }
    >
      <fieldset className={classes.options} aria-label="Order by">
        {options.map(({ value, label }) => (
          <label key={value} className={classes.option}>
            <input type="radio" name="sort" checked={value === by} onChange={() => onSort(value, isDescending)} />
            {label}
          </label>
        ))}
      </fieldset>
      <label className={classes.option}>
        <input type="checkbox" checked={isDescending} onChange={() => onSort(by, !isDescending)} />
        Descending
      </label>
    </Panel>
  )
}

function Columns({ options, shown, max, onShow }: NonNullable<ToolbarProps['columns']>) {
  const [isOpen, setIsOpen] = useState(false)
  const isFull = shown.length >= max
  const switched = (value: string) =>
    options.map((each) => each.value).filter((each) => (each === value ? !shown.includes(each) : shown.includes(each)))
  return (
    <Panel
      isOpen={isOpen}
      setIsOpen={setIsOpen}
      label="Columns"
      target={
        <Button
          variant="default"
          leftSection={<IconColumns3 size={16} aria-hidden />}
          onClick={() => setIsOpen(!isOpen)}
        >
          Columns
        </Button>
      }
    >
      <fieldset className={classes.options} aria-label="Columns">
        {options.map(({ value, label }) => (
          <label key={value} className={classes.option}>
            <input
              type="checkbox"
              checked={shown.includes(value)}
              disabled={isFull && !shown.includes(value)}
              onChange={() => onShow(switched(value))}
            />
            {label}
          </label>
        ))}
        {isFull && options.length > max && <span className={classes.count}>{max} fit. Hide one to show another.</span>}
      </fieldset>
    </Panel>
  )
}

interface PanelProps {
  isOpen: boolean
  setIsOpen: (isOpen: boolean) => void
  label: string
  /** The button that opens the panel. */
  target: ReactElement
  children: ReactNode
}

/** A button with a panel below it, which takes the focus and gives it back. */
function Panel({ isOpen, setIsOpen, label, target, children }: PanelProps) {
  return (
    <Popover
      opened={isOpen}
      onChange={setIsOpen}
      position="bottom-start"
      width="max-content"
      trapFocus
      returnFocus
      shadow="md"
      radius="md"
      transitionProps={{ duration: 0 }}
    >
      <Popover.Target>{target}</Popover.Target>
      <Popover.Dropdown p="xs" maw="min(22rem, calc(100vw - 2rem))" aria-label={label}>
        <div className={classes.choices}>{children}</div>
      </Popover.Dropdown>
    </Popover>
  )
}
