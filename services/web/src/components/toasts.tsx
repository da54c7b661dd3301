import { Toast } from "@base-ui/react/toast";
import type { JSX } from "react";
import { Button } from "./button.tsx";
import styles from "./toasts.module.css";

/** Reports what was done, or why it failed, on any page. */
export const toasts = Toast.createToastManager();

/** Where toasts are shown; rendered once in the application. */
export function Toasts(): JSX.Element {
  return (
    <Toast.Provider toastManager={toasts}>
      <Toast.Portal>
        <Toast.Viewport className={styles.viewport}>
          <ToastList />
        </Toast.Viewport>
      </Toast.Portal>
    </Toast.Provider>
  );
}

function ToastList(): JSX.Element[] {
  return Toast.useToastManager().toasts.map((toast) => (
    <Toast.Root key={toast.id} toast={toast} className={styles.toast}>
      <Toast.Title className={styles.title}>{toast.title}</Toast.Title>
      <Toast.Description className={styles.description}>{toast.description}</Toast.Description>
      {toast.actionProps ? <Toast.Action render={<Button look="quiet" />} /> : null}
    </Toast.Root>
  ));
}
