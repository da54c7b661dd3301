import { Menu } from "@base-ui/react/menu";
import { useQueryClient, useSuspenseQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import type { JSX } from "react";
import { Icon } from "../components/icon.tsx";
import menu from "../components/menu.module.css";
import { MenuPopup } from "../components/menu-popup.tsx";
import { toasts } from "../components/toasts.tsx";
import { paths } from "../config/paths.ts";
import { signOut, switchOrganization } from "../features/session/api/account.ts";
import { sessionQuery } from "../features/session/api/get-session.ts";
import { chooseTheme, type Theme, themes, useTheme } from "../lib/theme.ts";
import styles from "./account-menu.module.css";
import { AccountName } from "./account-name.tsx";

const themeNames: Readonly<Record<Theme, string>> = { system: "Use system theme", light: "Light", dark: "Dark" };

/** The active organization, the theme, and sign-out; open from the first, since it loads when someone opens it. */
export function AccountMenu(): JSX.Element {
  const { data: session } = useSuspenseQuery(sessionQuery);
  const theme = useTheme();
  const actions = useAccountActions();
  const { user, organization, organizations } = session;
  return (
    <Menu.Root defaultOpen>
      <Menu.Trigger className={styles.trigger}>
        <AccountName />
      </Menu.Trigger>
      <MenuPopup>
        <Choices
          label="Organization"
          value={organization?.id ?? ""}
          options={organizations.map(({ id, name }) => ({ value: id, name }))}
          onChoose={actions.switchTo}
        />
        <div className={menu.separator} />
        <Choices
          label="Appearance"
          value={theme}
          options={themes.map((value) => ({ value, name: themeNames[value] }))}
          onChoose={(value) => chooseTheme(themes.find((one) => one === value) ?? "system")}
        />
        <div className={menu.separator} />
        <div className={menu.label}>{user.email}</div>
        <Menu.LinkItem className={menu.item} href="/docs/">
          Documentation
        </Menu.LinkItem>
        <Menu.Item className={menu.item} onClick={actions.leave}>
          Sign out
        </Menu.Item>
      </MenuPopup>
    </Menu.Root>
  );
}

interface ChoicesProps {
  readonly label: string;
  readonly value: string;
  readonly options: readonly { readonly value: string; readonly name: string }[];
  readonly onChoose: (value: string) => void;
}

function Choices({ label, value, options, onChoose }: ChoicesProps): JSX.Element {
  return (
    <Menu.RadioGroup value={value} onValueChange={(chosen) => onChoose(String(chosen))}>
      <Menu.Group>
        <Menu.GroupLabel className={menu.label}>{label}</Menu.GroupLabel>
        {options.map((option) => (
          <Menu.RadioItem key={option.value} value={option.value} className={menu.item} closeOnClick>
            <span data-mark>{option.value === value ? <Icon name="check" /> : null}</span>
            {option.name}
          </Menu.RadioItem>
        ))}
      </Menu.Group>
    </Menu.RadioGroup>
  );
}

function useAccountActions(): { switchTo: (id: string) => void; leave: () => void } {
  const queryClient = useQueryClient();
  const navigate = useNavigate();
  const failed = (error: unknown): void => {
    toasts.add({ title: "Something went wrong", description: error instanceof Error ? error.message : String(error) });
  };
  return {
    switchTo: (id) => {
      // The cached data belongs to the previous organization.
      const switched = switchOrganization(id).then(() => navigate({ to: paths.incidents }));
      switched.then(() => queryClient.resetQueries(), failed);
    },
    leave: () => {
      const left = signOut().then(() => navigate({ to: paths.login, search: {} }));
      left.then(() => queryClient.clear(), failed);
    },
  };
}
