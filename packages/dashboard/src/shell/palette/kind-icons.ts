import {
  IconBolt,
  IconBook,
  IconBuilding,
  IconChartBar,
  IconFile,
  IconFlag,
  IconFlask,
  IconLayoutGrid,
  IconListDetails,
  IconPackage,
  IconPointFilled,
  IconServer2,
  IconUser,
  IconUsersGroup,
  type TablerIcon,
} from '@tabler/icons-react'

const icons: Record<string, TablerIcon> = {
  Action: IconBolt,
  Flag: IconFlag,
  Experiment: IconFlask,
  Audience: IconUsersGroup,
  Segment: IconListDetails,
  Metric: IconChartBar,
  Environment: IconServer2,
  Page: IconFile,
  You: IconUser,
  Person: IconUser,
  Project: IconLayoutGrid,
  Organization: IconBuilding,
  Product: IconPackage,
  Guide: IconBook,
  Help: IconBook,
}

/** The picture of a kind of entry, as in the sidebar. */
export const kindIcon = (kind: string): TablerIcon => icons[kind] ?? IconPointFilled
