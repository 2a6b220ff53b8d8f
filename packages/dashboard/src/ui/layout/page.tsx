import { Group, Stack, Text, Title } from '@mantine/core'
import { useRouterState } from '@tanstack/react-router'
import {
  Children,
  createContext,
  Fragment,
  isValidElement,
  type ReactNode,
  use,
  useEffect,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
} from 'react'
import { createPortal } from 'react-dom'
import { ButtonLink } from '../links/links.tsx'
import { narrow, useMedia } from '../theme/media.ts'
import classes from './page.module.css'

interface PageProps {
  /** Also the title of the document. It is read out after a navigation. */
  title: string
  /** Which page of a thing it is, such as "Results": in the document's title, where several pages have the same title. */
  part?: string | undefined
  description?: ReactNode
  /**
   * Buttons beside the title, the main one last. On phones the last is in a bar at the bottom, where thumbs are, unless it
   * only leads to a different page or a `MainAction` is there.
   */
  actions?: ReactNode
  children: ReactNode
}

/** A page with its title, in the document and in the only h1, which gets the focus after a navigation. */
export function Page({ title, part, description, actions, children }: PageProps) {
  const heading = usePageTitle(title, part)
  const isNarrow = useMedia(narrow)
  const [bar, setBar] = useState<HTMLElement | null>(null)
  const [end, setEnd] = useState<HTMLElement | null>(null)
  const [isTaken, setIsTaken] = useState(false)
  const place = useMemo(() => ({ bar: isNarrow ? bar : null, setIsTaken }), [isNarrow, bar])
  const all = listOf(actions)
  const isBelow = isNarrow && !isTaken && !leadsAway(all.at(-1))
  const last = useMovable(isBelow && all.length > 0 ? bar : end)
  return (
    <Stack gap="lg" className={classes.page ?? ''}>
      <Group justify="space-between" align="flex-start" gap="sm">
        <div className={classes.words}>
          <Title order={1} ref={heading} tabIndex={-1} dir="auto">
            {title}
          </Title>
          {description && (
            <Text c="dimmed" size="sm" mt={4}>
              {description}
            </Text>
          )}
        </div>
        {all.length > 0 && (
          <Group gap="xs" {...(isBelow && all.length === 1 && { display: 'none' })}>
            {all.slice(0, -1)}
            <div className={classes.movable} ref={setEnd} />
          </Group>
        )}
      </Group>
      <Bar value={place}>{children}</Bar>
      {isNarrow && <div className={classes.bar} data-bottom-bar="page" ref={setBar} />}
      {createPortal(all.at(-1), last)}
    </Stack>
  )
}

/**
 * The place of content that moves as the window gets narrow or wide. The content goes there with a portal, so that it
 * keeps its state and its open dialogs.
 */
function useMovable(place: HTMLElement | null): HTMLElement {
  const [element] = useState(() => {
    const created = document.createElement('div')
    created.className = classes.movable ?? ''
    return created
  })
  useLayoutEffect(() => {
    place?.append(element)
    return () => element.remove()
  }, [place, element])
  return element
}

/** The buttons in a fragment, one by one. */
function listOf(actions: ReactNode): ReturnType<typeof Children.toArray> {
  const isFragment = isValidElement<{ children?: ReactNode }>(actions) && actions.type === Fragment
  return Children.toArray(isFragment ? actions.props.children : actions)
}

/** A link that does not look like the main action. */
const leadsAway = (action: unknown): boolean =>
  isValidElement<{ variant?: string }>(action) && action.type === ButtonLink && action.props.variant === 'default'

/** The organization or project of the pages inside: the titles of two projects differ. */
export const TitlePlace = createContext<string | undefined>(undefined)

/** What the thing of the page is, such as "Metric": a flag, a metric and an audience can have one name. */
export const TitleKind = createContext<string | undefined>(undefined)

const Bar = createContext<{ bar: HTMLElement | null; setIsTaken: (isTaken: boolean) => void }>({
  bar: null,
  setIsTaken: () => undefined,
})

/** The main action of a page in its place among the content; on phones it is in the bar at the bottom. */
export function MainAction({ children }: { children: ReactNode }) {
  const { bar, setIsTaken } = use(Bar)
  useEffect(() => {
    setIsTaken(true)
    return () => setIsTaken(false)
  }, [setIsTaken])
  const [own, setOwn] = useState<HTMLElement | null>(null)
  const element = useMovable(bar ?? own)
  return (
    <>
      <div className={classes.movable} ref={setOwn} />
      {createPortal(children, element)}
    </>
  )
}

/** Sets the document's title and focuses the heading, except on the page that the browser opened first. */
export function usePageTitle(title: string, part?: string) {
  const heading = useRef<HTMLHeadingElement>(null)
  const path = useRouterState({ select: ({ resolvedLocation }) => resolvedLocation?.pathname })
  const place = use(TitlePlace)
  const kind = use(TitleKind)
  useEffect(() => {
    document.title = [part ?? kind, title, place === title ? undefined : place, 'Svc'].filter(Boolean).join(' · ')
  }, [part, kind, title, place])
  useEffect(() => {
    if (path !== undefined && path !== location.pathname) return
    const page = withoutWords(location.pathname)
    if (arrivedAt !== undefined && arrivedAt !== page) heading.current?.focus()
    arrivedAt = page
  }, [path])
  return heading
}

let arrivedAt: string | undefined

/** The words after a number follow its name, so they can change while the page stays the same. */
const withoutWords = (path: string): string => path.replaceAll(/\/(\d+)-[^/]*/g, '/$1')
