import { z } from "zod";

// Zod would try `new Function`, which the page's policy forbids and reports. Before any schema is made.
z.config({ jitless: true });
