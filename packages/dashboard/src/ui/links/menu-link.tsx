import { Menu, type MenuItemProps } from '@mantine/core'
import { createLink } from '@tanstack/react-router'
import type { InLink } from './links.tsx'

/** A link in a menu. It is apart from other links, because menus are loaded when they are first needed. */
export const MenuLink = createLink((props: InLink<MenuItemProps>) => <Menu.Item component="a" {...props} />)
