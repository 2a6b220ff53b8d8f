import { IconBell, IconHelp, IconHistory, IconSearch, IconUserCircle } from '@tabler/icons-react'
import { TextLink } from '../../ui/links/links.tsx'
import { useRecent } from '../../ui/notice/recent.ts'
import { segmentOf } from '../address.ts'
import { useAllProjects } from '../all-projects.ts'
import { preloadPalette, useOverlay } from '../keyboard/overlays.tsx'
import { useAttention } from '../problems/attention.ts'
import { useOrganization, useSession } from '../session.ts'
import classes from './header.module.css'
import { HeaderMenu } from './header-menu.tsx'
import { useProjectNumber } from './level.ts'

/** Organization and project of the page, each with a menu that opens others. */
export function Breadcrumb() {
  const { organizations } = useSession()
  const organization = useOrganization()
  const isInProject = useProjectNumber() !== undefined
  if (!organization) return null
  return (
    <>
      <div className={classes.step} data-further={isInProject}>
        {organizations.length === 1 ? (
          <TextLink
            to="/$org"
            params={{ org: segmentOf(organization) }}
            size="sm"
            fw={600}
            c="inherit"
            px={8}
            className={classes.chosen}
          >
            {organization.name}
          </TextLink>
        ) : (
          <HeaderMenu menu="organization" look="switch" label={`Organization: ${organization.name}`}>
            <span className={classes.chosen}>{organization.name}</span>
          </HeaderMenu>
        )}
      </div>
      <div className={classes.step} data-further={!isInProject}>
        <ProjectSwitch />
      </div>
    </>
  )
}

function ProjectSwitch() {
  const { data: projects = [] } = useAllProjects()
  const number = useProjectNumber()
  if (projects.length === 0) return null
  const chosen = projects.find(({ shortId }) => shortId === number)?.name ?? 'All projects'
  return (
    <>
      <span className={classes.slash} aria-hidden>
        /
      </span>
      <HeaderMenu menu="project" look="switch" label={`Project: ${chosen}`}>
        <span className={classes.chosen}>{chosen}</span>
      </HeaderMenu>
    </>
  )
}

function SearchButton() {
  const open = useOverlay()
  return (
    <button
      type="button"
      className={classes.search}
      aria-keyshortcuts="Control+K"
      onPointerEnter={preloadPalette}
      onFocus={preloadPalette}
      onClick={() => open('palette')}
    >
      <IconSearch size={20} stroke={1.75} aria-hidden />
      <span className={classes.searchWord}>Search</span>
      <kbd className={classes.searchKey} aria-hidden>
        Ctrl K
      </kbd>
    </button>
  )
}

/** Says how many problems are open. Without one, it is not there. */
function AttentionButton() {
  const organization = useOrganization()
  const { data } = useAttention({ isWanted: organization !== undefined })
  const count = data?.data.problems.length ?? 0
  if (!organization || count === 0) return null
  return (
    <HeaderMenu menu="attention" look="plain" label={`Needs attention: ${count}`}>
      <IconBell size={20} stroke={1.75} aria-hidden />
      <span className={classes.count}>{count}</span>
    </HeaderMenu>
  )
}

/** What was announced in the last 10 minutes. Without anything, it is not there. */
function RecentButton() {
  if (useRecent().length === 0) return null
  return (
    <HeaderMenu menu="recent" look="icon" label="Recent">
      <IconHistory size={20} stroke={1.75} aria-hidden />
    </HeaderMenu>
  )
}

/** At the end of the header: search, help, and who is signed in. */
export function HeaderEnd() {
  const { user } = useSession()
  return (
    <div className={classes.end}>
      <SearchButton />
      <AttentionButton />
      <RecentButton />
      <div className={classes.help}>
        <HeaderMenu menu="help" look="icon" label="Help">
          <IconHelp size={20} stroke={1.75} aria-hidden />
        </HeaderMenu>
      </div>
      <HeaderMenu menu="person" look="plain" label={`You: ${user.name}`}>
        <IconUserCircle size={22} stroke={1.75} aria-hidden />
        <span className={classes.name}>{user.name}</span>
      </HeaderMenu>
    </div>
  )
}
