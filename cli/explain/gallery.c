/* The gallery: questions that show one thing each, asked and drawn anew. */
#define _POSIX_C_SOURCE 200809L

#include "explain/explain.h"
#include "explain/story.h"
#include "command.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

typedef struct gallery_row {
  const char *name, *title, *caption, *line;
} gallery_row;

#define SQUARE "{\"type\":\"polygon\",\"vertices\":[[0,0],[3,0],[3,3],[0,3]]}"
#define PENTAGON "{\"type\":\"polygon\",\"vertices\":[[0,-2],[2,-0.5],[1.25,2],[-1.25,2],[-2,-0.5]]}"
#define FROM_RIGHT "\"dim\":2,\"method\":\"gjk\",\"start\":[1,0]"

static const gallery_row rows[] = {
    {"distance", "GJK, apart",
     "The last two steps find the same point: nothing of A − B lies nearer to the origin along its direction, and the "
     "dashed line separates.",
     "{\"query\":\"distance\"," FROM_RIGHT ",\"a\":{\"type\":\"polygon\",\"vertices\":[[0,0],[4,0],[5,2],[2,4],[0,3]]},"
     "\"b\":{\"type\":\"polygon\",\"vertices\":[[6,5],[7,3.5],[9,4],[9,6],[7,7]]}}"},
    {"overlapping", "GJK, overlapping", "After three steps the origin is inside a triangle of points of A − B.",
     "{\"query\":\"intersect\"," FROM_RIGHT ",\"a\":" SQUARE
     ",\"b\":{\"type\":\"polygon\",\"vertices\":[[2,2],[5,2],[5,5],[2,5]]}}"},
    {"touching", "GJK, touching, with a repeated vertex",
     "The second point is the origin itself. It is not passed, and the origin is a point of A − B: touching, not a "
     "plain yes or no.",
     "{\"query\":\"intersect\"," FROM_RIGHT ",\"a\":" SQUARE
     ",\"b\":{\"type\":\"polygon\",\"vertices\":[[3,3],[5,3],[3,5],[3,5]]}}"},
    {"minkowski", "The Minkowski difference itself",
     "All differences of vertices, and their convex hull. The triangle and the square overlap, so it holds the origin.",
     "{\"query\":\"minkowski\",\"dim\":2,\"a\":{\"type\":\"polygon\",\"vertices\":[[0,0],[4,0],[1,3]]},"
     "\"b\":{\"type\":\"polygon\",\"vertices\":[[2,1],[4,1],[4,3],[2,3]]}}"},
    {"sat-apart", "Separating axes, apart",
     "Each edge gives an axis. On the best one the projections leave the largest gap: a lower bound of the distance.",
     "{\"query\":\"distance\",\"dim\":2,\"method\":\"sat\",\"a\":{\"type\":\"polygon\",\"vertices\":[[0,0],[0,3],[3,3],"
     "[3,0]]},\"b\":{\"type\":\"polygon\",\"vertices\":[[4,4],[4,6],[6,6],[6,4]]}}"},
    {"sat-overlapping", "Separating axes, overlapping",
     "No axis separates; the one of least overlap is the shortest way out.",
     "{\"query\":\"distance\",\"dim\":2,\"method\":\"sat\",\"a\":{\"type\":\"polygon\",\"vertices\":[[0,0],[0,5],[5,4],"
     "[3,0]]},\"b\":{\"type\":\"polygon\",\"vertices\":[[4,4],[4,6],[6,6],[6,4]]}}"},
    {"obb", "Oriented boxes", "Two turned boxes: four axes decide.",
     "{\"query\":\"obb\",\"dim\":2,\"a\":{\"type\":\"box\",\"half_extents\":[2.5,1],\"rotation\":[3,1]},"
     "\"b\":{\"type\":\"box\",\"half_extents\":[1.5,1],\"position\":[3.5,2.5],\"rotation\":[4,-1]}}"},
    {"depth", "Penetration depth by EPA",
     "The polytope around the origin grows until its nearest edge is an edge of A − B: the shortest way out.",
     "{\"query\":\"penetration\",\"dim\":2,\"a\":{\"type\":\"polygon\",\"vertices\":[[0,0],[4,0],[0,3]]},"
     "\"b\":{\"type\":\"box\",\"half_extents\":[1,1],\"position\":[2,2]}}"},
    {"manifold", "A contact manifold", "A box sinks into the ground: two points hold it.",
     "{\"query\":\"manifold\",\"dim\":2,\"a\":{\"type\":\"box\",\"half_extents\":[5,1]},"
     "\"b\":{\"type\":\"box\",\"half_extents\":[1,1],\"position\":[2,1.75],\"rotation\":[20,1]}}"},
    {"circle", "Radii are taken off first",
     "GJK walks on the difference of the cores, a box and a point; the radius is subtracted afterwards.",
     "{\"query\":\"distance\",\"dim\":2,\"a\":{\"type\":\"box\",\"half_extents\":[2,1],\"rotation\":[5,1]},"
     "\"b\":{\"type\":\"circle\",\"radius\":1,\"position\":[4.5,2.5]}}"},
    {"ellipse", "An ellipse",
     "A curved support function: bounds close in on the distance from both sides until they meet the tolerance.",
     "{\"query\":\"distance\",\"dim\":2,\"a\":{\"type\":\"ellipse\",\"radii\":[4,2],\"rotation\":[6,1]},"
     "\"b\":{\"type\":\"polygon\",\"vertices\":[[5,3],[8,2.5],[7,5]]}}"},
    {"near-touching", "One unit in the last place apart",
     "Two boxes, turned alike, face to face but for one unit in the last place. In doubles the gap is lost; the exact "
     "search finds it, and the verifier confirms it.",
     "{\"query\":\"distance\",\"dim\":2,\"a\":{\"type\":\"box\",\"half_extents\":[1.5,1],\"rotation\":[3,1]},"
     "\"b\":{\"type\":\"box\",\"half_extents\":[1.5,1],\"rotation\":[3,1],\"position\":[-1.2,1.6000000000000003]}}"},
    {"coincident", "Coincident shapes",
     "The same pentagon twice. The origin is the centre of A − B, and the shortest way out is as long as the "
     "pentagon's least width.",
     "{\"query\":\"penetration\",\"dim\":2,\"a\":" PENTAGON ",\"b\":" PENTAGON "}"},
    {"slab", "A thin slab", "Ten thousand times as long as it is thick, and a triangle that dips into it.",
     "{\"query\":\"penetration\",\"dim\":2,\"a\":{\"type\":\"box\",\"half_extents\":[5,0.0005]},"
     "\"b\":{\"type\":\"polygon\",\"vertices\":[[1,-0.00025],[2.5,2],[0,2.5]]}}"},
    {"concave", "A concave polygon",
     "A U in three convex pieces, and a disk between its prongs. The piece that is nearest decides; its story is told.",
     "{\"query\":\"distance\",\"dim\":2,\"a\":{\"type\":\"polygon\",\"concave\":\"decompose\","
     "\"vertices\":[[0,0],[6,0],[6,6],[4,6],[4,2],[2,2],[2,6],[0,6]]},"
     "\"b\":{\"type\":\"circle\",\"radius\":0.5,\"position\":[3.25,4]}}"},
    {"bullet", "A bullet through a thin wall",
     "Sixteen looks at the shapes miss the wall altogether. The relative path meets A − B all the same: until then one "
     "direction proves it free.",
     "{\"query\":\"shapecast\",\"dim\":2,\"a\":{\"type\":\"circle\",\"radius\":0.25,\"position\":[-6,0.5]},"
     "\"b\":{\"type\":\"box\",\"half_extents\":[0.05,2]},\"motion\":{\"type\":\"linear\",\"velocity_a\":[60,0],"
     "\"velocity_b\":[0,0],\"t_max\":0.2}}"},
    {"passing", "Passing by",
     "Both move, and never meet: the path leaves A − B aside, and comes no nearer than the green line is long.",
     "{\"query\":\"shapecast\",\"dim\":2,\"a\":{\"type\":\"polygon\",\"vertices\":[[0,0],[3,0],[2,2]]},"
     "\"b\":{\"type\":\"box\",\"half_extents\":[1,0.75],\"position\":[7.5,3.5],\"rotation\":[4,1]},"
     "\"motion\":{\"type\":\"linear\",\"velocity_a\":[1,-0.25],\"velocity_b\":[-2,0.25],\"t_max\":4}}"},
    {"ray", "A ray and a polygon",
     "A ray is a point that moves: A − B is the polygon, moved so that the ray begins at the origin.",
     "{\"query\":\"raycast\",\"dim\":2,\"a\":{\"type\":\"polygon\",\"vertices\":[[2,0],[5,-1],[7,1],[6,4],[3,4]]},"
     "\"motion\":{\"type\":\"ray\",\"origin\":[-1,4],\"direction\":[2,-0.75],\"t_max\":4}}"},
    {"rod", "A rod that spins",
     "It turns by a quarter of a revolution between two samples, and none of them sees it strike the peg. A − B turns "
     "with it; steps prove it free of the origin until the contact.",
     "{\"query\":\"toi\",\"dim\":2,\"a\":{\"type\":\"box\",\"half_extents\":[2,0.05]},"
     "\"b\":{\"type\":\"circle\",\"radius\":0.1,\"position\":[0.8,1.2]},\"motion\":{\"type\":\"rotational\","
     "\"velocity_a\":[0,0],\"angular_velocity_a\":40,\"velocity_b\":[0,0],\"angular_velocity_b\":0,\"t_max\":0.6}}"},
    {"boxes-3d", "GJK in 3D", "Two turned boxes in space.",
     "{\"query\":\"distance\",\"a\":{\"type\":\"box\",\"half_extents\":[2,1,0.75],\"rotation\":[4,1,0,1]},"
     "\"b\":{\"type\":\"box\",\"half_extents\":[1,1,1.5],\"rotation\":[3,-1,1,0],\"position\":[3.5,1.5,2]}}"},
    {"cubes-one-ulp", "Two cubes, one unit in the last place apart",
     "Turned by a quaternion whose rotation no matrix of doubles can hold. GJK in doubles gives up; the exact search "
     "tells the gap from a touch.",
     "{\"query\":\"distance\",\"a\":{\"type\":\"box\",\"half_extents\":[1.5,1.5,1.5],\"rotation\":[1,2,3,4]},"
     "\"b\":{\"type\":\"box\",\"half_extents\":[1.5,1.5,1.5],\"rotation\":[1,2,3,4],"
     "\"position\":[-2,2,1.0000000000000002]}}"},
    {"cylinder-cone", "Curved depth in 3D",
     "A cone stands in a cylinder; EPA closes in on the curved surface of A − B.",
     "{\"query\":\"penetration\",\"a\":{\"type\":\"cylinder\",\"radius\":1.5,\"half_length\":1},"
     "\"b\":{\"type\":\"cone\",\"radius\":1,\"half_length\":1.5,\"rotation\":[5,1,0.5,0],\"position\":[1,0.5,1.5]}}"},
};
enum { ROW_COUNT = sizeof rows / sizeof *rows };

typedef struct gallery {
  const char *folder;
  cli_buffer room;
  cli_text list; /* README.md */
} gallery;

static bool write_into(const gallery *g, const char *name, const char *ending, const cli_text *text) {
  char path[4096];
  int size = snprintf(path, sizeof path, "%s/%s%s", g->folder, name, ending);
  if (size < 0 || (size_t)size >= sizeof path) {
    cli_report("the name of the folder is too long: %.80s…", g->folder);
    return false;
  }
  return explain_write(path, text);
}

static void put_all(cli_text *out, const char *const *strings) {
  for (; *strings; strings++) cli_text_str(out, *strings);
}

static void list_row(cli_text *list, const gallery_row *row, bool picture) {
  const char *head[] = {"\n## ", row->title, "\n\n", row->caption, "\n\n", NULL};
  const char *image[] = {"<img src=\"", row->name, ".svg\" width=\"720\" alt=\"", row->caption, "\">\n\n", NULL};
  const char *link[] = {"Step by step: [", row->name, ".html](", row->name, ".html)\n", NULL};
  put_all(list, head);
  if (picture) put_all(list, image);
  put_all(list, link);
}

static bool draw(gallery *g, const gallery_row *row, const story *s) {
  cli_text picture = {0}, page = {0};
  story_print_html(&page, s);
  bool good = write_into(g, row->name, ".html", &page);
  if (good && s->dim == 2) {
    story_print_svg(&picture, s);
    good = write_into(g, row->name, ".svg", &picture);
  }
  list_row(&g->list, row, s->dim == 2);
  cli_text_free(&picture);
  cli_text_free(&page);
  return good;
}

static bool ask_row(gallery *g, const gallery_row *row) {
  const cli_line line = {{row->line, strlen(row->line)}, 1, false};
  cli_request question;
  cli_error complaint;
  story s;
  bool good = false, read = cli_request_read(&line, &question, &complaint);
  if (read && story_make(&question, line.text, &g->room, &s, &complaint)) {
    good = draw(g, row, &s);
    story_free(&s);
  } else {
    cli_report("%s: %s", row->name, complaint.message);
  }
  if (read) cli_request_free(&question);
  return good;
}

static bool write_questions(const gallery *g) {
  cli_text lines = {0};
  for (size_t i = 0; i < ROW_COUNT; i++) {
    cli_text_str(&lines, "{\"id\":");
    cli_text_quoted(&lines, rows[i].name);
    cli_text_str(&lines, ",");
    cli_text_str(&lines, rows[i].line + 1);
    cli_text_str(&lines, "\n");
  }
  bool good = write_into(g, "questions", ".jsonl", &lines);
  cli_text_free(&lines);
  return good;
}

bool explain_gallery(const char *folder) {
  gallery g = {.folder = folder};
  if (mkdir(folder, 0777) != 0 && errno != EEXIST) {
    cli_report("cannot make the folder %s: %s", folder, strerror(errno));
    return false;
  }
  cli_text_str(&g.list, "# Gallery\n\nMade by `graze explain --gallery`. What pictures and pages show is what the "
                        "searches told of their steps, and what the verifier says of the answer. The questions: "
                        "[questions.jsonl](questions.jsonl). The pages are complete in one file each: open them in a "
                        "browser.\n");
  bool good = true;
  for (size_t i = 0; good && i < ROW_COUNT; i++) good = ask_row(&g, &rows[i]);
  good = good && write_questions(&g) && write_into(&g, "README", ".md", &g.list);
  cli_text_free(&g.list);
  cli_buffer_free(&g.room);
  return good;
}
