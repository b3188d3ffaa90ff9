/* Classifies handwritten digits with an LSTM that polyad compiled: no Python, no files, one allocation. */

#include <stdio.h>
#include <stdlib.h>

#include "digits_data.h"
#include "digits_lstm.h"

/* The class with the highest of the CLASSES scores. */
static int best_class(const float *scores) {
    int best = 0;
    for (int c = 1; c < CLASSES; c++)
        if (scores[c] > scores[best]) best = c;
    return best;
}

/* Draw image n: its pixels are 0 to 1, and a row of an image is a step of the network. */
static void draw(int n) {
    static const char shade[] = " .:-=+*#";
    for (int t = 0; t < ROWS; t++) {
        printf("    ");
        for (int i = 0; i < PIXELS; i++) {
            char c = shade[(int)(7.0f * images[(t * IMAGES + n) * PIXELS + i])];
            printf("%c%c", c, c); /* a character is about twice as high as wide */
        }
        printf("\n");
    }
}

int main(void) {
    /* B is the one size that was left symbolic; all images go through the network as one batch. */
    const digits_lstm_sizes sizes = {.B = IMAGES};
    const size_t bytes = digits_lstm_workspace(&sizes);
    static float scores[IMAGES * CLASSES];

    /* The library allocates nothing: it works in memory that we give it, aligned to 64 bytes. */
    void *workspace = aligned_alloc(64, (bytes + 63) / 64 * 64);
    if (bytes > 0 && workspace == NULL) {
        fprintf(stderr, "out of memory: %zu bytes\n", bytes);
        return EXIT_FAILURE;
    }
    const int status = digits_lstm(&sizes, W_ih, W_hh, b, W_out, b_out, images, scores, workspace, bytes);
    free(workspace);
    if (status != 0) {
        fprintf(stderr, "digits_lstm returned %d; digits_lstm.h names the codes\n", status);
        return EXIT_FAILURE;
    }

    int correct = 0, as_python = 0;
    for (int n = 0; n < IMAGES; n++) {
        const int found = best_class(&scores[n * CLASSES]);
        if (n < 2) {
            draw(n);
            printf("    read as %d, labelled %d\n\n", found, labels[n]);
        }
        correct += found == labels[n];
        as_python += found == expected[n];
    }
    printf("accuracy: %.2f %% of %d images (workspace %zu bytes)\n", 100.0 * correct / IMAGES, IMAGES, bytes);
    printf("same answer as in Python: %d of %d\n", as_python, IMAGES);
    return EXIT_SUCCESS;
}
