import { Menu, type MenuProps, Popover, Text, TextInput } from '@mantine/core'
import { IconApi, IconBook, IconKeyboard, IconLogout } from '@tabler/icons-react'
import { useNavigate } from '@tanstack/react-router'
import { type ReactNode, useState } from 'react'
import { TextLink } from '../../ui/links/links.tsx'
import { MenuLink } from '../../ui/links/menu-link.tsx'
import { useRecent } from '../../ui/notice/recent.ts'
import { phone, useMedia } from '../../ui/theme/media.ts'
import { Time } from '../../ui/time/time.tsx'
import { segmentOf } from '../address.ts'
import { type NamedProject, useAllProjects } from '../all-projects.ts'
import { useOverlay } from '../keyboard/overlays.tsx'
import { useOrgParams } from '../place.ts'
import { useAttention } from '../problems/attention.ts'
import { problemPage, problemWords } from '../problems/problem-words.ts'
import { useOrganization, useSession } from '../session.ts'
import { useSignOut } from '../sign-out.ts'
import { useDoors } from '../wing.ts'
import classes from './header-menu.module.css'
import { useProjectNumber } from './level.ts'
import { navigationFor } from './navigation.ts'

export interface OpenMenu {
  /** The name of the button. */
  label: string
  close: () => void
}

interface DropdownProps extends OpenMenu {
  position: MenuProps['position'] & string
  children: ReactNode
}

/** An open menu under its button, which stays in place while the code of the menu loads. */
function Dropdown({ label, close, position, children }: DropdownProps) {
  return (
    <Menu opened onClose={close} position={position} width="max-content" returnFocus={false}>
      <Menu.Target>
        <button type="button" tabIndex={-1} aria-hidden className={classes.anchor} aria-label={label} />
      </Menu.Target>
      <Menu.Dropdown className={classes.dropdown}>{children}</Menu.Dropdown>
    </Menu>
  )
}

/** Opens another organization. */
export function OrganizationMenu(menu: OpenMenu) {
  const { organizations } = useSession()
  const current = useOrganization()
  const navigate = useNavigate()
  const open = (id: string) => {
    const organization = organizations.find((other) => other.id === id)
    if (organization) void navigate({ to: '/$org', params: { org: segmentOf(organization) } })
  }
  return (
    <Dropdown {...menu} position="bottom-start">
      <Menu.Label>Organization</Menu.Label>
      <Menu.RadioGroup value={current?.id ?? ''} onChange={open}>
        {organizations.map(({ id, name }) => (
          <Menu.RadioItem key={id} value={id} closeMenuOnClick>
            {name}
          </Menu.RadioItem>
        ))}
      </Menu.RadioGroup>
    </Dropdown>
  )
}

/** A menu can be read at a glance up to here. */
const menuMax = 7

/** Opens another project. A long list has a field that finds one. */
export function ProjectMenu(menu: OpenMenu) {
  const { data: projects = [] } = useAllProjects()
  const { org } = useOrgParams()
  const number = useProjectNumber()
  if (projects.length > menuMax) return <ProjectFinder {...menu} projects={projects} />
  return (
    <Dropdown {...menu} position="bottom-start">
      <MenuLink to="/$org" params={{ org }} aria-current={number === undefined ? 'page' : undefined}>
        All projects
      </MenuLink>
      <Menu.Divider />
      <Menu.Label>Project</Menu.Label>
      {projects.map((project) => (
        <MenuLink key={project.id} to="/$org/$project" params={{ org, project: segmentOf(project) }}>
          {project.name}
        </MenuLink>
      ))}
    </Dropdown>
  )
}

/** Not a menu: a menu cannot contain a field. Enter opens the first project that is shown. */
function ProjectFinder({ label, close, projects }: OpenMenu & { projects: readonly NamedProject[] }) {
  const { org } = useOrgParams()
  const navigate = useNavigate()
  const [text, setText] = useState('')
  const wanted = text.trim().toLowerCase()
  const found = projects.filter(({ name, key }) => `${name} ${key}`.toLowerCase().includes(wanted))
  const open = (project: NamedProject | undefined) => {
    if (!project) return
    close()
    void navigate({ to: '/$org/$project', params: { org, project: segmentOf(project) } })
  }
  return (
    <Popover opened onChange={close} position="bottom-start" trapFocus transitionProps={{ duration: 0 }}>
      <Popover.Target>
        <button type="button" tabIndex={-1} aria-hidden className={classes.anchor} aria-label={label} />
      </Popover.Target>
      <Popover.Dropdown className={classes.dropdown} aria-label="Projects">
        <form
          onSubmit={(event) => {
            event.preventDefault()
            open(found[0])
          }}
        >
          <TextInput
            label="Find a project"
            value={text}
            onChange={({ currentTarget: { value } }) => setText(value)}
            autoComplete="off"
            data-autofocus
          />
        </form>
        <ul className={classes.projects}>
          {found.map((project) => (
            <li key={project.id}>
              <TextLink to="/$org/$project" params={{ org, project: segmentOf(project) }} onClick={close}>
                {project.name}
              </TextLink>
            </li>
          ))}
          <li>
            {found.length === 0 && <Text size="sm">No project has this in its name or key.</Text>}
            <TextLink to="/$org" params={{ org }} onClick={close}>
              All projects
            </TextLink>
          </li>
        </ul>
      </Popover.Dropdown>
    </Popover>
  )
}

/** The open problems that this person can see, each with its page. */
export function AttentionMenu(menu: OpenMenu) {
  const { org } = useOrgParams()
  const { data, error } = useAttention()
  const { problems = [], hasMore = false } = data?.data ?? {}
  return (
    <Dropdown {...menu} position="bottom-end">
      <Menu.Label>Needs attention</Menu.Label>
      {problems.map((problem) => {
        const { says, place } = problemWords(problem)
        const { path, search } = problemPage(problem)
        return (
          <MenuLink
            key={`${problem.kind} ${problem.object.id} ${problem.environment?.id}`}
            to={path as never}
            params={{ org } as never}
            search={search as never}
          >
            <Text size="sm">{says}</Text>
            <Text size="xs" c="dimmed">
              {place !== '' && `${place} · `}
              <Time time={problem.since} />
            </Text>
          </MenuLink>
        )
      })}
      {problems.length === 0 && (
        <Menu.Item disabled>{error ? 'The problems cannot be read now.' : 'Nothing needs attention.'}</Menu.Item>
      )}
      {hasMore && <Menu.Item disabled>There are more. These are the latest.</Menu.Item>}
    </Dropdown>
  )
}

/** What this person did a moment ago, with Undo where there is one. */
export function RecentMenu(menu: OpenMenu) {
  const recent = useRecent()
  return (
    <Dropdown {...menu} position="bottom-end">
      <Menu.Label>Recent</Menu.Label>
      {recent.map(({ id, message, verb, at, undo }) => (
        <Menu.Item
          key={id}
          disabled={!undo}
          {...(undo && { onClick: undo, rightSection: <Text size="sm">{verb}</Text> })}
        >
          <Text size="sm">{message}</Text>
          <Text size="xs" c="dimmed">
            <Time time={at} />
          </Text>
        </Menu.Item>
      ))}
    </Dropdown>
  )
}

/** Pages that the service has outside the dashboard. */
const guides = (
  <>
    <Menu.Item component="a" href="/docs" leftSection={<IconBook size={16} aria-hidden />}>
      Guides
    </Menu.Item>
    <Menu.Item component="a" href="/docs/api-reference" leftSection={<IconApi size={16} aria-hidden />}>
      API reference
    </Menu.Item>
  </>
)

/** Guides, API reference and shortcuts. */
export function HelpMenu(menu: OpenMenu) {
  const open = useOverlay()
  return (
    <Dropdown {...menu} position="bottom-end">
      {guides}
      <Menu.Item leftSection={<IconKeyboard size={16} aria-hidden />} onClick={() => open('keys')}>
        Keyboard shortcuts
      </Menu.Item>
    </Dropdown>
  )
}

/** The signed-in person: name, own settings and sign-out. On phones, also the guides. */
export function PersonMenu(menu: OpenMenu) {
  const { user } = useSession()
  const organization = useOrganization()
  const { navigation } = useDoors()
  const signOut = useSignOut()
  const isPhone = useMedia(phone)
  return (
    <Dropdown {...menu} position="bottom-end">
      <div className={classes.who}>
        <Text size="sm" fw={600} truncate>
          {user.name}
        </Text>
        <Text size="xs" c="dimmed" truncate>
          {user.email}
        </Text>
      </div>
      <Menu.Divider />
      {navigationFor(navigation, 'account', organization)
        .flatMap(({ rows }) => rows)
        .map(({ to, label, Icon }) => (
          <MenuLink key={to} to={to} leftSection={<Icon size={16} aria-hidden />}>
            {label}
          </MenuLink>
        ))}
      {isPhone && (
        <>
          <Menu.Divider />
          {guides}
        </>
      )}
      <Menu.Divider />
      <Menu.Item leftSection={<IconLogout size={16} aria-hidden />} onClick={() => void signOut()}>
        Sign out
      </Menu.Item>
    </Dropdown>
  )
}
